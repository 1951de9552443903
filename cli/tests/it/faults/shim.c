/* Makes the n-th call of one kind fail. Loaded before the C library by LD_PRELOAD; see ../faults.rs.
 *
 * FAULT_CALL names the kind, FAULT_NTH counts from 1, FAULT_REPORT is a file that is created when the
 * fault has been injected. Nothing is interposed but what is named below, and calls that the C library
 * makes itself are not seen. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *kind;
static const char *report;
static long nth;
static long calls;

__attribute__((constructor)) static void start(void) {
    const char *number = getenv("FAULT_NTH");
    const char *name = getenv("FAULT_CALL");
    const char *file = getenv("FAULT_REPORT");
    if (number && name && file) {
        nth = atol(number);
        report = strdup(file);
        kind = strdup(name);
    }
    /* A binary that waits for ever ends by a signal. */
    alarm(30);
    /* Programs that are started run undisturbed. */
    unsetenv("LD_PRELOAD");
}

static int fails(const char *name, int error) {
    if (!kind || strcmp(kind, name) != 0) return 0;
    if (__sync_add_and_fetch(&calls, 1) != nth) return 0;
    long file = syscall(SYS_openat, AT_FDCWD, report, O_CREAT | O_WRONLY, 0600);
    if (file >= 0) syscall(SYS_close, file);
    errno = error;
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int needs_mode(int flags) { return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE; }

#define MODE(flags)                      \
    mode_t mode = 0;                     \
    if (needs_mode(flags)) {             \
        va_list rest;                    \
        va_start(rest, flags);           \
        mode = va_arg(rest, mode_t);     \
        va_end(rest);                    \
    }

int open(const char *path, int flags, ...) {
    MODE(flags)
    return fails("open", EIO) ? -1 : REAL(open)(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    MODE(flags)
    return fails("open", EIO) ? -1 : REAL(open64)(path, flags, mode);
}
int openat(int at, const char *path, int flags, ...) {
    MODE(flags)
    return fails("open", EIO) ? -1 : REAL(openat)(at, path, flags, mode);
}
int openat64(int at, const char *path, int flags, ...) {
    MODE(flags)
    return fails("open", EIO) ? -1 : REAL(openat64)(at, path, flags, mode);
}

int stat(const char *path, struct stat *out) { return fails("stat", EIO) ? -1 : REAL(stat)(path, out); }
int stat64(const char *path, struct stat64 *out) {
    return fails("stat", EIO) ? -1 : REAL(stat64)(path, out);
}
int lstat(const char *path, struct stat *out) { return fails("stat", EIO) ? -1 : REAL(lstat)(path, out); }
int lstat64(const char *path, struct stat64 *out) {
    return fails("stat", EIO) ? -1 : REAL(lstat64)(path, out);
}
int fstat(int file, struct stat *out) { return fails("stat", EIO) ? -1 : REAL(fstat)(file, out); }
int fstat64(int file, struct stat64 *out) { return fails("stat", EIO) ? -1 : REAL(fstat64)(file, out); }
int statx(int at, const char *path, int flags, unsigned mask, struct statx *out) {
    return fails("stat", EIO) ? -1 : REAL(statx)(at, path, flags, mask, out);
}
char *realpath(const char *path, char *out) {
    return fails("stat", EIO) ? NULL : REAL(realpath)(path, out);
}

char *getcwd(char *out, size_t len) { return fails("stat", EIO) ? NULL : REAL(getcwd)(out, len); }

DIR *opendir(const char *path) { return fails("list", EIO) ? NULL : REAL(opendir)(path); }
DIR *fdopendir(int file) { return fails("list", EIO) ? NULL : REAL(fdopendir)(file); }
struct dirent *readdir(DIR *from) { return fails("list", EIO) ? NULL : REAL(readdir)(from); }
struct dirent64 *readdir64(DIR *from) { return fails("list", EIO) ? NULL : REAL(readdir64)(from); }

ssize_t read(int file, void *to, size_t len) {
    return fails("read", EIO) ? -1 : REAL(read)(file, to, len);
}
ssize_t pread64(int file, void *to, size_t len, off64_t at) {
    return fails("read", EIO) ? -1 : REAL(pread64)(file, to, len, at);
}
ssize_t readv(int file, const struct iovec *to, int count) {
    return fails("read", EIO) ? -1 : REAL(readv)(file, to, count);
}

/* Mappings of files only: memory that is out is not what is tested here. */
void *mmap(void *at, size_t len, int access, int flags, int file, off_t from) {
    if (file >= 0 && fails("map", ENOMEM)) return MAP_FAILED;
    return REAL(mmap)(at, len, access, flags, file, from);
}
void *mmap64(void *at, size_t len, int access, int flags, int file, off64_t from) {
    if (file >= 0 && fails("map", ENOMEM)) return MAP_FAILED;
    return REAL(mmap64)(at, len, access, flags, file, from);
}

/* Not what goes to standard error: there is nowhere left to say that. */
ssize_t write(int file, const void *from, size_t len) {
    if (file != 2 && fails("write", ENOSPC)) return -1;
    return REAL(write)(file, from, len);
}
ssize_t writev(int file, const struct iovec *from, int count) {
    if (file != 2 && fails("write", ENOSPC)) return -1;
    return REAL(writev)(file, from, count);
}
int fsync(int file) { return fails("write", EIO) ? -1 : REAL(fsync)(file); }
int ftruncate64(int file, off64_t len) { return fails("write", ENOSPC) ? -1 : REAL(ftruncate64)(file, len); }

int pipe(int ends[2]) { return fails("pipe", EMFILE) ? -1 : REAL(pipe)(ends); }
int pipe2(int ends[2], int flags) { return fails("pipe", EMFILE) ? -1 : REAL(pipe2)(ends, flags); }

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument) {
    return fails("spawn", EAGAIN) ? EAGAIN : REAL(pthread_create)(thread, attributes, run, argument);
}
pid_t fork(void) { return fails("spawn", EAGAIN) ? -1 : REAL(fork)(); }
int posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment) {
    return fails("spawn", EAGAIN)
               ? EAGAIN
               : REAL(posix_spawn)(child, path, actions, attributes, arguments, environment);
}
int posix_spawnp(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment) {
    return fails("spawn", EAGAIN)
               ? EAGAIN
               : REAL(posix_spawnp)(child, path, actions, attributes, arguments, environment);
}
