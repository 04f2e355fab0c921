/* Lets the allocations and threads of the core fail on request. Loaded before all other libraries (LD_PRELOAD). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

extern void* __libc_malloc(size_t);
extern void* __libc_memalign(size_t, size_t);

static long to_failure = 0; /* allocations until one fails; 0 or less: none does */
static int no_threads = 0;

void fail_allocation(long number) { __atomic_store_n(&to_failure, number, __ATOMIC_SEQ_CST); }
long until_failure(void) { return __atomic_load_n(&to_failure, __ATOMIC_SEQ_CST); }
void refuse_threads(int refuse) { no_threads = refuse; }

/* Only memory for the core counts: asked for by itself, or through operator new. */
static int fails(void* caller) {
    Dl_info from;
    if (__atomic_load_n(&to_failure, __ATOMIC_SEQ_CST) <= 0) return 0;
    if (!dladdr(caller, &from) || from.dli_fname == NULL) return 0;
    if (!strstr(from.dli_fname, "/_core.") && !strstr(from.dli_fname, "libstdc++")) return 0;
    return __atomic_sub_fetch(&to_failure, 1, __ATOMIC_SEQ_CST) == 0;
}

void* malloc(size_t size) { return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size); }

void* aligned_alloc(size_t alignment, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*start)(void*), void* argument) {
    static int (*usual)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) = NULL;
    if (no_threads) return EAGAIN;
    if (usual == NULL) *(void**)&usual = dlsym(RTLD_NEXT, "pthread_create");
    return usual(thread, how, start, argument);
}
