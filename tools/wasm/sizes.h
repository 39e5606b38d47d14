/* Included before everything else: the interpreter's configuration, for 32 bits and without what WebAssembly lacks. */
#include <pyconfig.h>
#undef ALIGNOF_LONG
#define ALIGNOF_LONG 4
#undef ALIGNOF_SIZE_T
#define ALIGNOF_SIZE_T 4
#undef SIZEOF_LONG
#define SIZEOF_LONG 4
#undef SIZEOF_PTHREAD_T
#define SIZEOF_PTHREAD_T 4
#undef SIZEOF_SIZE_T
#define SIZEOF_SIZE_T 4
#undef SIZEOF_UINTPTR_T
#define SIZEOF_UINTPTR_T 4
#undef SIZEOF_VOID_P
#define SIZEOF_VOID_P 4
#undef HAVE_GCC_UINT128_T
#undef HAVE_GETPID
#undef HAVE_SCHED_H
#undef HAVE_SIGNAL_H
#undef HAVE_SYS_SELECT_H
