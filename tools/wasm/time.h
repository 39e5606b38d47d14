/* Emscripten's numbers of the clocks: wasi-libc has addresses. */
#include_next <time.h>
#undef CLOCK_MONOTONIC
#define CLOCK_MONOTONIC ((clockid_t)1)
