// Handles that the caller owns: created and freed without the C++ runtime.
#pragma once

#include <cstdlib>
#include <new>

namespace gq {

// A new object, or nullptr if there is no memory.
template <class T>
T *create() {
    void *memory = std::malloc(sizeof(T));
    return memory == nullptr ? nullptr : new (memory) T();
}

template <class T>
void destroy(T *object) {
    if (object == nullptr) return;
    object->~T();
    std::free(object);
}

}  // namespace gq
