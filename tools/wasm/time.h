/* Emscripten's numbers of the clocks: those of wasi-libc are addresses. */
#include_next <time.h>
#undef CLOCK_MONOTONIC
#define CLOCK_MONOTONIC ((clockid_t)1)
