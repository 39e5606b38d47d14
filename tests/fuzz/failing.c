/* Preloaded: one call of a kind fails in this process, or all from it on, or the process ends there. See failing.py. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ALLOCATION, WRITE, SYNC, RENAME };
enum { ONCE, ALWAYS, END };

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static int failing_kind, failing_mode;
static long calls_left;     /* until one fails, that one included; 0: none does */
static int has_failed;

/* Let the number-th call of a kind from now on fail. */
void fail(int kind, long number, int mode)
{
    failing_kind = kind, calls_left = number, failing_mode = mode, has_failed = 0;
}

/* Whether it has failed since. */
int failed(void) { return has_failed; }

/* None fails any more: a call of Python's, which needs no memory before this. */
pid_t getppid(void)
{
    calls_left = 0;
    return syscall(SYS_getppid);
}

static int fails(int kind, int error)
{
    if (calls_left == 0 || kind != failing_kind)
        return 0;
    if (calls_left > 1) {
        calls_left--;
        return 0;
    }
    if (failing_mode == END)
        _exit(77);
    has_failed = 1;
    calls_left = failing_mode == ALWAYS;
    errno = error;
    return 1;
}

void *malloc(size_t size) { return fails(ALLOCATION, ENOMEM) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails(ALLOCATION, ENOMEM) ? NULL : __libc_calloc(count, size); }
void *realloc(void *memory, size_t size) { return fails(ALLOCATION, ENOMEM) ? NULL : __libc_realloc(memory, size); }
ssize_t write(int file, const void *data, size_t size)
{
    return fails(WRITE, ENOSPC) ? -1 : syscall(SYS_write, file, data, size);
}
ssize_t pwrite64(int file, const void *data, size_t size, off64_t at)
{
    return fails(WRITE, ENOSPC) ? -1 : syscall(SYS_pwrite64, file, data, size, at);
}
int fsync(int file) { return fails(SYNC, EIO) ? -1 : syscall(SYS_fsync, file); }
int fdatasync(int file) { return fails(SYNC, EIO) ? -1 : syscall(SYS_fdatasync, file); }
int rename(const char *old, const char *new) { return fails(RENAME, EIO) ? -1 : renameat(AT_FDCWD, old, AT_FDCWD, new); }
