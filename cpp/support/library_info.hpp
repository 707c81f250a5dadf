// placeholder until the build's own arrives
#pragma once
