// Scratch memory: arrays that live as long as their owner and are freed together.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>

#include "support/basics.hpp"

namespace gq {

// Zeroed arrays; only malloc and free, so that the library does not need the C++ runtime.
// If memory runs out, take() returns nullptr and is_exhausted() says so: the owner checks once, at the end.
class Arena {
  public:
    Arena() = default;
    Arena(const Arena &) = delete;
    Arena &operator=(const Arena &) = delete;
    ~Arena() { clear(); }

    template <class T>
    T *take(i64 count) {
        const auto wanted = static_cast<std::size_t>(count > 0 ? count : 1);
        if (wanted > (MOST_BYTES - sizeof(Block) - ALIGNMENT) / sizeof(T)) {
            exhausted_ = true;
            return nullptr;
        }
        // calloc and not malloc with memset: untouched pages of large tables cost nothing.
        auto *block = static_cast<Block *>(std::calloc(1, sizeof(Block) + ALIGNMENT + wanted * sizeof(T)));
        if (block == nullptr) {
            exhausted_ = true;
            return nullptr;
        }
        block->next = first_;
        first_ = block;
        char *behind = reinterpret_cast<char *>(block) + sizeof(Block);
        const std::size_t beyond = reinterpret_cast<std::uintptr_t>(behind) % ALIGNMENT;
        return reinterpret_cast<T *>(behind + (ALIGNMENT - beyond) % ALIGNMENT);
    }

    template <class T>
    Matrix<T> take_matrix(i64 rows, i64 width) {
        return {take<T>(rows * width), width};
    }

    void clear() {
        while (first_ != nullptr) {
            Block *next = first_->next;
            std::free(first_);
            first_ = next;
        }
        exhausted_ = false;
    }

    bool is_exhausted() const { return exhausted_; }

  private:
    static constexpr std::size_t ALIGNMENT = 64;
    // No object is larger.
    static constexpr std::size_t MOST_BYTES = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());
    struct Block {
        Block *next;
    };
    Block *first_ = nullptr;
    bool exhausted_ = false;
};

}  // namespace gq
