/* A process that was forked from one that had used the library does all that it can: none of the threads of its parent live in it. A child
 * of a child too. Usage: forked CORPUS */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

static const char *corpus;

static const char *at(int which, const char *name) {
    static char texts[2][4096];
    CHECK(snprintf(texts[which], sizeof texts[which], "%s/%s", corpus, name) < (int)sizeof texts[which]);
    return texts[which];
}

static int32_t each(const navmap_outcome *outcome, void *user) {
    CHECK(outcome != NULL);
    ++*(int *)user;
    return 0;
}

/* What is shared out among threads. */
static void works(void) {
    const char *opens[] = {"fox/set", "skyrim/se/village.esp", "detour/set.navmesh", "source/town.nav"};
    const char *scans[1];
    navmap_world *world = NULL;
    navmap_slot *slot = NULL;
    navmap_diff *diff = NULL;
    navmap_findings *findings = NULL;
    navmap_map *map = NULL;
    navmap_editor *editor = NULL;
    int outcomes = 0;
    size_t i;
    for (i = 0; i < sizeof opens / sizeof *opens; i++) {
        IS(NAVMAP_OK, navmap_world_open(at(0, opens[i]), NULL, &world, NULL));
        IS(NAVMAP_OK, navmap_world_free(world));
    }
    IS(NAVMAP_OK, navmap_slot_new(at(0, "fox/set"), NULL, &slot, NULL));
    IS(NAVMAP_OK, navmap_slot_free(slot));
    IS(NAVMAP_OK, navmap_diff_open(at(0, "skyrim/se/village.esp"), at(1, "skyrim/se/stored.esp"), NULL, 0, 0, &diff, NULL));
    IS(NAVMAP_OK, navmap_diff_free(diff));
    IS(NAVMAP_OK, navmap_findings_open(at(0, "skyrim/se/village.esp"), NULL, 0, &findings, NULL));
    IS(NAVMAP_OK, navmap_findings_free(findings));
    scans[0] = at(0, "skyrim/se");
    IS(NAVMAP_OK, navmap_scan(scans, 1, NULL, NULL, each, &outcomes, NULL, NULL));
    CHECK(outcomes > 0);
    IS(NAVMAP_OK, navmap_map_open(at(0, "bsp/yard-source.bsp"), NULL, &map, NULL));
    IS(NAVMAP_OK, navmap_analyze(at(0, "bsp/yard-source.nav"), map, NULL, NULL, NULL, NULL, &editor, NULL));
    IS(NAVMAP_OK, navmap_editor_free(editor));
    IS(NAVMAP_OK, navmap_map_free(map));
}

/* Does it here, and then in a child that is ended if it waits for ever. */
static void works_in_children(int deep) {
    int status = 0;
    pid_t child;
    works();
    if (deep == 0) return;
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(120);
        works_in_children(deep - 1);
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    corpus = arguments[1];
    works_in_children(2);
    puts("children work");
    return 0;
}
