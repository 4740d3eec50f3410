/* What the programs check by. Whoever wants to see every status defines SEEN before. */
#ifndef CHECK_H
#define CHECK_H

#include <navmap.h>

#include <stdio.h>
#include <stdlib.h>

#ifndef SEEN
#define SEEN(status) (status)
#endif

#define CHECK(what)                                                            \
    do {                                                                       \
        if (!(what)) {                                                         \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what);         \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

#define IS(expected, call)                                                     \
    do {                                                                       \
        navmap_status got = SEEN(call);                                        \
        if (got != (expected)) {                                               \
            fprintf(stderr, "%s:%d: %s is %s\n", __FILE__, __LINE__, #call,    \
                    navmap_status_name(got));                                  \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

/* What a callback is declared as. */
#ifdef __cplusplus
#define EXTERN extern "C"
#else
#define EXTERN extern
#endif

#endif
