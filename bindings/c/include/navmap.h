/* navmap.h: navigation meshes of real games, for C89 with stdint.h, C99 and C++17. Licence: MIT OR Apache-2.0. */
/* */
/* This file is made by cbindgen of the crate navmap-c. Do not edit it. The manual is docs/c.md. */
/* */
/* Every call answers with a navmap_status. Below NAVMAP_ERRORS the question has been answered, and what is asked for */
/* stands behind the out pointers. From NAVMAP_ERRORS on the call has failed and has written nothing but the error. */
/* */
/* Pointers. One that is needed and is NULL is NAVMAP_NULL. Where the text below says so, it may be NULL. A pointer */
/* that is not NULL must lead to as many values as its count says. */
/* Buffers. The caller gives an array and how many values fit, and gets how many there are; NAVMAP_TRUNCATED if they */
/* do not fit. NULL and 0 ask for the count. A count may be NULL. */
/* Handles. What a call gives out is the caller's, and is given back with the free function of its kind. */
/* Threads. A world, a map, a slot, findings, a difference and an error may be used by any number of threads at once, a query, a corridor */
/* and a crowd by one at a time. An overlay or a mask may be read by many queries at once. Freeing what another thread uses is the caller's error; take a reference */
/* for each thread (navmap_world_retain). Nothing is kept for each thread. */
/* Structs that begin with a size may grow; NAVMAP_INIT sets it and zeros the rest. */


#ifndef NAVMAP_H
#define NAVMAP_H

#include <stdint.h>
#include <string.h>
#define NAVMAP_VERSION_MAJOR 0
#define NAVMAP_VERSION_MINOR 1
#define NAVMAP_VERSION_PATCH 0
#define NAVMAP_VERSION "0.1.0"

/* From this status on, a call has failed. */
#define NAVMAP_ERRORS 16

/* Sets the size of a struct that may grow, and zeros the rest of it: */
/* `navmap_options options; NAVMAP_INIT(options);` */
#define NAVMAP_INIT(it) (memset(&(it), 0, sizeof(it)), (it).size = (uint32_t)sizeof(it))


/* `navmap_options.flags`: bytes after the end of a mesh do not count as a finding. */
#define NAVMAP_LENIENT 1

/* `navmap_options.flags`: the index gets landmarks. They make the search for the cheapest way about three times as fast and */
/* take 64 bytes an area. */
#define NAVMAP_LANDMARKS 2

/* `navmap_options.flags`: points are found only in areas of `navmap_options.group`. Areas of other groups are there, but have no */
/* corners, and no way leads through them. */
#define NAVMAP_GROUP 4

/* `navmap_options.flags`: the world knows what the file knows of tactics: hiding spots, who sees whom, what to watch on the way. */
/* In a mesh of Source that may take more memory than all the rest. */
#define NAVMAP_TACTICS 8

/* `navmap_options.refuse`: a mesh with an error is refused. */
#define NAVMAP_REFUSE_ERRORS 0

/* `navmap_options.refuse`: a mesh with a warning is refused as well. */
#define NAVMAP_REFUSE_WARNINGS 1

/* `navmap_options.refuse`: every readable mesh is accepted. */
#define NAVMAP_REFUSE_NOTHING 2

/* Stands for an area, a group or a number that does not exist. */
#define NAVMAP_NONE UINT32_MAX

/* On foot. */
#define NAVMAP_WALK 0

/* On foot, over the border of a tile, a cell or a mesh. */
#define NAVMAP_BORDER 1

/* Crouched. */
#define NAVMAP_CROUCH 2

/* With a jump, or up a ledge. */
#define NAVMAP_JUMP 3

/* Down, off a ledge. */
#define NAVMAP_DROP 4

/* On a ladder. */
#define NAVMAP_LADDER 5

/* By an elevator. */
#define NAVMAP_ELEVATOR 6

/* On a moving platform. */
#define NAVMAP_TRAIN 7

/* Thrown by a trigger. */
#define NAVMAP_PUSH 8

/* By a teleporter. */
#define NAVMAP_TELEPORT 9

/* Through a door that loads another place. */
#define NAVMAP_DOOR 10

/* With a rocket jump. */
#define NAVMAP_ROCKET_JUMP 11

/* Some other way, which only the game knows. */
#define NAVMAP_OTHER 12

/* As `reach`: the reach of the game. */
#define NAVMAP_GAME_REACH -1.0

/* `navmap_nearest`: exactly the nearest. */
#define NAVMAP_EXACT 0

/* `navmap_nearest`: what the engine finds, which need not be the nearest. */
#define NAVMAP_AS_ENGINE 1

/* `navmap_query_options.cost`: what the game's own search charges. */
#define NAVMAP_COST_ENGINE 0

/* `navmap_query_options.cost`: length in units. */
#define NAVMAP_COST_LENGTH 1

/* `navmap_query_options.search`: the search of the game. Its way need not be the cheapest. */
#define NAVMAP_SEARCH_ENGINE 0

/* `navmap_query_options.search`: the cheapest way. */
#define NAVMAP_SEARCH_SHORTEST 1

/* `navmap_query_options.flags`: links that the game can close are not taken. */
#define NAVMAP_NO_GATES 1

/* `navmap_query_options.flags`: if there is no way, gives the way to the area closest to the goal. */
#define NAVMAP_PARTIAL_WAY 2

/* `navmap_query_options.flags`, for distances: along reversed links, to the area instead of from it. */
#define NAVMAP_BACKWARD 4

/* `navmap_query_options.flags`, for floods: links are followed backward too, if both of their ends are permitted. */
#define NAVMAP_INCOMING 8

/* `navmap_corner52.flags`: the walk begins here. */
#define NAVMAP_CORNER_START 1

/* `navmap_corner52.flags`: the walk ends here. */
#define NAVMAP_CORNER_END 2

/* `navmap_corner52.flags`, with `NAVMAP_CORNER_END`: it is not the goal that was asked for, but the nearest point to it on the way. */
#define NAVMAP_CORNER_NEAREST 4

/* `navmap_corner52.flags`: a leg begins here that one does not walk: a ladder, a jump, a teleporter. The next corner is its landing. */
#define NAVMAP_CORNER_LEG 8

/* `navmap_corner52.flags`: the leg that began at the corner before ends here. */
#define NAVMAP_CORNER_LANDING 16

/* `navmap_corner52.flags`: one has to crouch on the way here from the corner before. */
#define NAVMAP_CORNER_CROUCH 32

/* `navmap_corner52.flags`: that way leads over stairs. */
#define NAVMAP_CORNER_STAIRS 64

/* `navmap_corner52.flags`: that way leads through an area in which the game jumps. */
#define NAVMAP_CORNER_JUMP 128

/* `navmap_corner52.flags`: that way leads over a link that the game can close, or through a door. */
#define NAVMAP_CORNER_DOOR 256

/* How much is seen: nothing. */
#define NAVMAP_HIDDEN 0

/* How much is seen: something, from somewhere in the other area. */
#define NAVMAP_PARTLY 1

/* How much is seen: all of it, from everywhere in the other area. */
#define NAVMAP_WHOLLY 2

/* A use of a hiding spot: there is cover around it. */
#define NAVMAP_COVER 1

/* A use of a hiding spot: a sniper sees far from it. */
#define NAVMAP_GOOD_SNIPER 2

/* A use of a hiding spot: a sniper sees very far from it, or over much ground. */
#define NAVMAP_IDEAL_SNIPER 4

/* A use of a hiding spot: it is a corner without cover. */
#define NAVMAP_EXPOSED 8

/* An agent has no goal, and makes room for others. */
#define NAVMAP_STANDING 0

/* An agent waits for its way to be searched. */
#define NAVMAP_SEARCHING 1

/* An agent follows its way. */
#define NAVMAP_WALKING 2

/* An agent waits at a ladder or another leg that somebody else is on, or has waited for longer. */
#define NAVMAP_WAITING 3

/* An agent is on a leg: `kind` and `share` say on which, and how far. */
#define NAVMAP_ON_LEG 4

/* An agent is at its goal, or next to others who are. If it is pushed away, it goes back. */
#define NAVMAP_ARRIVED 5

/* An agent has a goal to which there is no way, or it got no nearer to it for long. With `NAVMAP_PARTIAL_WAY` it has gone as near as a */
/* way leads. */
#define NAVMAP_LOST 6

/* `flags` of an editor: commands do what the game does, bugs included. */
#define NAVMAP_GAME_EXACT 1

/* Legal, but worth knowing. */
#define NAVMAP_INFO 0

/* Readable, but not as the game's own tools write it. */
#define NAVMAP_DEVIATION 1

/* Odd. The game may cope with it, another tool may not. */
#define NAVMAP_WARNING 2

/* The game or a tool will act on wrong data. */
#define NAVMAP_ERROR 3

/* `navmap_found.flags`: `offset` is set. */
#define NAVMAP_HAS_OFFSET 1

/* `navmap_found.flags`: `place` is set. */
#define NAVMAP_HAS_PLACE 2

/* `navmap_found.flags`: `id` is set. */
#define NAVMAP_HAS_ID 4

/* `flags` of `navmap_diff_open`: files of two families are compared by what they have in common. */
#define NAVMAP_NEUTRAL 1

/* `flags` of `navmap_diff_open`: areas, links and marks that moved by no more than noise have moved. */
#define NAVMAP_NOISE 2

/* An area is gone. */
#define NAVMAP_REMOVED 0

/* An area is new. */
#define NAVMAP_ADDED 1

/* An area became several: `parts` says how many, `after` is the first. */
#define NAVMAP_SPLIT 2

/* An area was made of several: `parts` says how many, `before` is the first. */
#define NAVMAP_MERGED 3

/* An area is another: `flags` says in what. */
#define NAVMAP_CHANGED 4

/* A link is gone: `before` and `to` are its ends. */
#define NAVMAP_LINK_REMOVED 5

/* A link is new. */
#define NAVMAP_LINK_ADDED 6

/* A link is of another kind, or the game can close it now and could not before. */
#define NAVMAP_LINK_CHANGED 7

/* A mark is gone: a hiding spot, a ladder. `kind` says which. */
#define NAVMAP_MARK_REMOVED 8

/* A mark is new. */
#define NAVMAP_MARK_ADDED 9

/* `navmap_change88.flags`: all corners moved, by `moved`. */
#define NAVMAP_AREA_MOVED 1

/* `navmap_change88.flags`: it has another shape. */
#define NAVMAP_AREA_RESHAPED 2

/* `navmap_change88.flags`: it has other flags: those of `set` and not those of `cleared`. */
#define NAVMAP_AREA_FLAGS 4

/* `navmap_change88.flags`: it is in another place. */
#define NAVMAP_AREA_PLACE 8

/* `navmap_change88.flags`: it is in another group. */
#define NAVMAP_AREA_GROUP 16

/* `navmap_change88.kind` of a mark: a spot to hide. */
#define NAVMAP_MARK_HIDING 0

/* `navmap_change88.kind` of a mark: a hiding spot that is good for a sniper. */
#define NAVMAP_MARK_SNIPER 1

/* `navmap_change88.kind` of a mark: a ladder. */
#define NAVMAP_MARK_LADDER 2

/* `navmap_change88.kind` of a mark: a door. */
#define NAVMAP_MARK_DOOR 3

/* `navmap_change88.kind` of a mark: an edge behind which one can take cover. */
#define NAVMAP_MARK_COVER 4

/* `navmap_change88.kind` of a mark: an edge one can drop from. */
#define NAVMAP_MARK_LEDGE 5

/* `navmap_change88.kind` of a mark: a point that the makers placed. */
#define NAVMAP_MARK_WAYPOINT 6

/* `navmap_change88.kind` of a mark: the box of an entity that links are bound to. */
#define NAVMAP_MARK_ENTITY 7

/* `navmap_scan`: every record is visited and counted. */
#define NAVMAP_TASK_SURVEY 0

/* `navmap_scan`: one page of each file is read. */
#define NAVMAP_TASK_HEAD 1

/* `navmap_scan`: as a survey, with islands among the counts. */
#define NAVMAP_TASK_GRAPH 2

/* `navmap_scan`: every finding is collected. */
#define NAVMAP_TASK_CHECK 3

/* A part can be reached, and left again. */
#define NAVMAP_JOINED 0

/* A part can be reached, but not left again. */
#define NAVMAP_NO_WAY_BACK 1

/* A part cannot be reached, only left: a ledge to drop from. */
#define NAVMAP_NO_WAY_IN 2

/* There is no way to a part and none back. */
#define NAVMAP_CUT_OFF 3

/* What fills space: solid to everything. */
#define NAVMAP_SOLID 1

/* Water. */
#define NAVMAP_WATER 32

/* What fills space: a ladder. */
#define NAVMAP_CLIMBED 536870912

/* A mask of what stops a player. */
#define NAVMAP_STOPS_PLAYERS 33636363

/* A mask of what stops a bullet or a sniper's sight. */
#define NAVMAP_STOPS_SHOTS 81921

/* `navmap_trace40.flags`: the start lies in something solid. */
#define NAVMAP_START_SOLID 1

/* `navmap_trace40.flags`: the whole way lies in something solid. */
#define NAVMAP_ALL_SOLID 2

/* `navmap_trace40.flags`: a displacement was hit, Source's ground made of triangles. */
#define NAVMAP_DISPLACEMENT 4

/* `navmap_trace40.flags`: the sky was hit. Source only. */
#define NAVMAP_SKY 8

/* `navmap_analyze_options.extent`: as the game does by default. */
#define NAVMAP_AS_GAME 0

/* `navmap_analyze_options.extent`: all of it. */
#define NAVMAP_FULL 1

/* `navmap_analyze_options.extent`: without encounter paths, as with `nav_quicksave 1`. */
#define NAVMAP_QUICK 2

/* `navmap_draw_options.flags`: PNG. Else SVG. */
#define NAVMAP_PNG 1

/* `navmap_draw_options.flags`: light on slate. Else ink on paper. */
#define NAVMAP_DARK 2

/* `navmap_draw_options.flags`: if the page has a height, what is without mesh is cut off. */
#define NAVMAP_FIT 4

/* The answer of a call. The numbers are stable, and none is reused. */
/* */
/* Below 16, the question has been answered. From 16 on, the call has failed, and nothing was written but an error. */
enum navmap_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif /* defined(__cplusplus) || __STDC_VERSION__ >= 202311L */
 {
    /* The answer is there. */
    NAVMAP_OK = 0,
    /* The answer is "none": no area under the point, no area with this id, no such fact. */
    NAVMAP_NOTHING = 1,
    /* The buffer was too small. It is full, and the count says how many there are. */
    NAVMAP_TRUNCATED = 2,
    /* There is no way. */
    NAVMAP_NO_WAY = 3,
    /* There is no way. The steps lead to the closest place. */
    NAVMAP_PARTIAL = 4,
    /* There is no way inside what is loaded, but links lead out of it. */
    NAVMAP_LEAVES_LOADED = 5,
    /* The search has looked at as many areas as were allowed. It can be resumed. */
    NAVMAP_UNFINISHED = 6,
    /* The callback has stopped the run. */
    NAVMAP_STOPPED = 7,
    /* A pointer that must not be NULL is NULL. */
    NAVMAP_NULL = 16,
    /* The handle was freed, or is none of this kind. Only a debug build of the library notices. */
    NAVMAP_BAD_HANDLE = 17,
    /* A bug in navmap. The handle that was being changed answers with this from now on. */
    NAVMAP_PANIC = 18,
    /* Another thread is using the handle. */
    NAVMAP_BUSY = 19,
    /* An argument has a value that it cannot have. */
    NAVMAP_INVALID = 20,
    /* There is no area with this number in the world. */
    NAVMAP_NO_SUCH_AREA = 21,
    /* The query or the overlay was made for another world. */
    NAVMAP_OTHER_WORLD = 22,
    /* The area was held in an older world, or the agent was removed. */
    NAVMAP_STALE = 23,
    /* There is no unfinished search. */
    NAVMAP_NOTHING_TO_RESUME = 24,
    /* The operating system refused: the file does not exist, or cannot be read. */
    NAVMAP_IO = 32,
    /* The bytes are no navigation mesh. */
    NAVMAP_NOT_MESH = 33,
    /* The format is known, but not this version of it. */
    NAVMAP_UNKNOWN_VERSION = 34,
    /* The mesh is damaged. The error says at which record and byte. */
    NAVMAP_DAMAGED = 35,
    /* The file asks for more than a limit allows, or the crowd is full. */
    NAVMAP_LIMIT = 36,
    /* The mesh has findings of a severity that the options refuse. */
    NAVMAP_FINDINGS = 37,
    /* A command of a script was refused. The error says why, at which line and column. */
    NAVMAP_REFUSED = 38
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum navmap_status navmap_status;
#else
typedef int32_t navmap_status;
#endif /* __STDC_VERSION__ >= 202311L */
#endif /* __cplusplus */

/* A way that is followed over many ticks: what is left of it, where one is on it, and where it leads. One thread may use it at a */
/* time. 32 bytes a step, with room for 64 steps; it grows if a way is longer than any before. */
typedef struct navmap_corridor navmap_corridor;

/* Agents on one world. One thread may use it at a time. Memory is taken when it is made and when agents are added; a tick takes none. */
typedef struct navmap_crowd navmap_crowd;

/* What changed between two meshes. It never changes, so any number of threads may use it at once. */
typedef struct navmap_diff navmap_diff;

/* A mesh that is being edited in memory. One thread may use it at a time; it is never read by two. */
typedef struct navmap_editor navmap_editor;

/* Why a call failed: its status, a message for a person, and the file, the record and the byte where they are known. */
/* Free it with `navmap_error_free`. */
typedef struct navmap_error navmap_error;

/* What is odd about a mesh. It never changes, so any number of threads may use it at once. */
typedef struct navmap_findings navmap_findings;

/* The map of a mesh, `.bsp`, for traces, and to analyse and generate meshes. Any number of threads may use it at once. */
typedef struct navmap_map navmap_map;

/* A bit for each area of a world. It is lent to filters and to questions about who sees whom. Any number of queries may read it */
/* at once. A thread may change it only while nobody reads it. */
typedef struct navmap_mask navmap_mask;

/* Areas that are blocked or cost more: a team's doors, a fire, a crowd. Any number of queries may read it at once. A thread */
/* may change it only while nobody reads it. */
typedef struct navmap_overlay navmap_overlay;

/* The memory of searches, and the way that was found last. Use one in each thread: if two threads use it at once, the second */
/* gets `NAVMAP_BUSY`. 30 bytes an area. */
typedef struct navmap_query navmap_query;

/* Holds the current world of a map. Any number of threads may use it at once. Taking the world never waits for a reload. */
typedef struct navmap_slot navmap_slot;

/* A mesh and its index: immutable and reference-counted. Any number of threads may ask it at once. */
typedef struct navmap_world navmap_world;

/* How a mesh is opened. Zeros are the defaults; `size` must be set, as `NAVMAP_INIT` does. */
typedef struct navmap_options {
    /* `sizeof(navmap_options)`. */
    uint32_t size;
    /* `NAVMAP_LENIENT`, `NAVMAP_LANDMARKS`, `NAVMAP_GROUP`, `NAVMAP_TACTICS`. */
    uint32_t flags;
    /* `NAVMAP_REFUSE_ERRORS` and so on. */
    uint32_t refuse;
    /* With `NAVMAP_GROUP`: the number of the group, such as a hull of Source 2. */
    uint32_t group;
    /* Most bytes of a file. 0: 4 GiB. */
    uint64_t file_bytes;
    /* Most inflated bytes at one time. 0: 1 GiB. */
    uint64_t inflated_bytes;
    /* Takes the file for this kind whatever its bytes look like: `source`, `quake`, `navjson` and so on. NULL: by its */
    /* bytes. */
    const char *kind;
    /* Whose ways links are: a hull of a node graph by name or number (`large`, `7`), one of a Source 2 mesh by number. NULL: those */
    /* of people. */
    const char *hull;
} navmap_options;

/* A point in the axes and units of the file. */
typedef struct navmap_point {
    float x;
    float y;
    float z;
} navmap_point;

/* What a world is. Set `size` before the call. */
typedef struct navmap_info {
    /* `sizeof(navmap_info)`. */
    uint32_t size;
    /* How many areas. */
    uint32_t areas;
    /* How many links between them. */
    uint32_t links;
    /* How many links lead out of what is loaded. */
    uint32_t ways_out;
    /* Number of the world in its slot, from 1; 0 outside of slots. */
    uint64_t generation;
    /* Warnings and errors that the options allowed. */
    uint64_t findings;
    /* Doors of a load order that lead to no triangle. */
    uint64_t unresolved_doors;
    /* Bytes of the index. */
    uint64_t bytes;
    /* Smallest coordinates of all areas. */
    struct navmap_point min;
    /* Largest coordinates. */
    struct navmap_point max;
    /* The coordinate that points up: 1 for y, 2 for z. */
    uint32_t up;
    /* Length of a unit in metres. */
    float metres_per_unit;
    /* How far the ground may lie above a point that stands on it. */
    float above;
    /* How far the ground may lie below a point. */
    float reach;
    /* The highest step that one can walk up. */
    float step;
    /* Version of the format; `NAVMAP_NONE` if unknown or if the world was made of many files. */
    uint32_t version;
    /* Sub-version, or `NAVMAP_NONE`. */
    uint32_t subversion;
    /* 0. */
    uint32_t zero;
    /* Family of the format: `source`, `quake` and so on; NULL if the world was made of many files. Never freed. */
    const char *family;
    /* Kind of file: `source`, `navjson`, `plugin` and so on; NULL as above. Never freed. */
    const char *kind;
    /* The best guess at the game; NULL if there is none. Never freed. */
    const char *game;
    /* What the format calls an area: `area`, `node`, `face`, `triangle`. Never freed. */
    const char *word;
} navmap_info;

/* An area, and the world in which it was found. */
typedef struct navmap_held {
    /* The generation. */
    uint64_t generation;
    /* The number of the area. */
    uint32_t area;
    /* The low half of a number that no other world of the process has. */
    uint32_t identity;
} navmap_held;

/* An area in bulk. 32 bytes. */
typedef struct navmap_area32 {
    /* Smallest coordinates. */
    struct navmap_point min;
    /* Largest coordinates. */
    struct navmap_point max;
    /* The file's own name for it. */
    uint64_t id;
} navmap_area32;

/* What is known of an area. 64 bytes. */
typedef struct navmap_area64 {
    /* The file's own name for it. Ids survive a reload. */
    uint64_t id;
    /* Flags as stored; `navmap_world_flag` names them. */
    uint64_t flags;
    /* Square units of its ground, seen from above. */
    double surface;
    /* The center, from which lengths are measured; not finite if it has no ground, as areas of other hulls. */
    struct navmap_point center;
    /* Position among the areas of the file. */
    uint32_t node;
    /* The group (segment, mesh, hull), or `NAVMAP_NONE`. */
    uint32_t group;
    /* A number that areas share if links join them in any direction. */
    uint32_t island;
    /* A number that areas share if each can reach the other. */
    uint32_t component;
    /* How many corners it has; 1 for a waypoint, 0 if it has no ground. */
    uint32_t corners;
    /* The radius of a waypoint, else 0. */
    float radius;
    /* 0. */
    uint32_t zero;
} navmap_area64;

/* A link. 32 bytes. */
typedef struct navmap_link32 {
    /* The area that it leaves. */
    uint32_t from;
    /* The area that it reaches. */
    uint32_t to;
    /* How it is passed: `NAVMAP_WALK` and so on. */
    uint32_t kind;
    /* 1 if the game can open and close it. */
    uint32_t gated;
    /* Its length in units: that of the ladder, or else from center to center. */
    float length;
    /* What the game's own search charges for it. */
    float charge;
    /* The file's own number for it, or `NAVMAP_NONE`. */
    uint32_t number;
    /* 0. */
    uint32_t zero;
} navmap_link32;

/* An area near a point. 20 bytes. */
typedef struct navmap_near20 {
    /* The area. */
    uint32_t area;
    /* Its point that is closest. */
    struct navmap_point point;
    /* How far that is, in units. */
    float distance;
} navmap_near20;

/* Where a straight walk ended. 24 bytes. */
typedef struct navmap_walk24 {
    /* The last area. */
    uint32_t area;
    /* The last point, on its ground. */
    struct navmap_point point;
    /* The share of the line that was walked, 0 to 1. */
    float share;
    /* 1 if the end was reached, 0 if the walk stopped at a wall. */
    uint32_t arrived;
} navmap_walk24;

/* The line that a walk from one area to another crosses. 24 bytes. */
typedef struct navmap_portal24 {
    /* Its left end as seen from the area that one leaves. */
    struct navmap_point left;
    /* Its right end. */
    struct navmap_point right;
} navmap_portal24;

/* Tells whether an area may be used: anything but 0 if it may. It must not throw, and may not use the query that asks. */
typedef int32_t (*navmap_on_area)(uint32_t area, void *user);

/* Which areas and links a question may use. Zeros allow all; `size` must be set, as `NAVMAP_INIT` does. Everything that is */
/* set has to hold. What it points to is only read during the call. */
typedef struct navmap_filter {
    /* `sizeof(navmap_filter)`. */
    uint32_t size;
    /* Kinds of links that must not be taken: `1u << NAVMAP_LADDER` and so on. Only searches for ways look at links. */
    uint32_t without;
    /* An area needs one of these flags, if any is set. `navmap_world_flag` gives them. */
    uint64_t include;
    /* Areas with one of these flags are left out. */
    uint64_t exclude;
    /* How many `places` there are. */
    uint32_t place_count;
    /* How many `not_places` there are. */
    uint32_t not_place_count;
    /* An area needs one of these places, if there are any. `navmap_world_place` gives their numbers. */
    const uint32_t *places;
    /* Areas of these places are left out. */
    const uint32_t *not_places;
    /* An area has to be in it. NULL: any. */
    const struct navmap_mask *mask;
    /* Has to accept an area. NULL: any. */
    navmap_on_area test;
    /* Is handed to `test`. */
    void *user;
} navmap_filter;

/* Where a straight walk ended, and at which wall. 36 bytes. */
typedef struct navmap_walk36 {
    /* The last area. */
    uint32_t area;
    /* The last point, on its ground. */
    struct navmap_point point;
    /* The share of the line that was walked, 0 to 1. */
    float share;
    /* 1 if the end was reached, 0 if the walk stopped at a wall. */
    uint32_t arrived;
    /* The direction that the wall faces: level, of length 1, towards the inside of the area. Zeros if the end was reached. */
    struct navmap_point normal;
} navmap_walk36;

/* Tells what a link costs; a negative number or NaN closes it. Nothing is known about such costs, so the cheapest way takes longer to */
/* find. It must not throw, and may not use the query that asks. */
typedef float (*navmap_on_link)(const struct navmap_link32 *link, void *user);

/* How a search is done. Zeros search as the game does; `size` must be set, as `NAVMAP_INIT` does. */
typedef struct navmap_query_options {
    /* `sizeof(navmap_query_options)`. */
    uint32_t size;
    /* `NAVMAP_COST_ENGINE` or `NAVMAP_COST_LENGTH`. */
    uint32_t cost;
    /* `NAVMAP_SEARCH_ENGINE` or `NAVMAP_SEARCH_SHORTEST`. */
    uint32_t search;
    /* `NAVMAP_NO_GATES` and so on. */
    uint32_t flags;
    /* Kinds of links that must not be taken: `1u << NAVMAP_LADDER` and so on. */
    uint32_t without;
    /* Longest way allowed, in units; for distances and floods, the highest cost. If the cheapest way is longer, the shortest one is */
    /* searched. 0: any. */
    float max_length;
    /* Highest step up of a link, in units, at the middle of its portal. Links on foot, jumps and drops have steps. 0: any. */
    float max_step;
    /* Deepest step down of a flood, in units. 0: any. */
    float max_drop;
    /* How many areas are looked at before the search is unfinished. 0: all. */
    uint32_t max_pops;
    /* 0. */
    uint32_t zero;
    /* Which areas and links may be used. NULL: all. It must stay until the call is over. */
    const struct navmap_filter *filter;
    /* What each link costs, instead of `cost`. NULL: `cost` says. */
    navmap_on_link price;
    /* Is handed to `price`. */
    void *user;
} navmap_query_options;

/* The result of a search. 32 bytes. */
typedef struct navmap_path32 {
    /* What the way costs; infinite if there is none. */
    float cost;
    /* With `NAVMAP_PARTIAL`: how far the last area is from the goal. Else 0. */
    float distance;
    /* How many steps the way has, the start included. */
    uint32_t steps;
    /* With `NAVMAP_PARTIAL` the last area, with `NAVMAP_LEAVES_LOADED` the area that the way out leaves; else */
    /* `NAVMAP_NONE`. */
    uint32_t area;
    /* With `NAVMAP_LEAVES_LOADED`: what the way out leads to, as the format numbers it, if `has_beyond`. */
    uint64_t beyond;
    /* 1 if `beyond` is set. */
    uint32_t has_beyond;
    /* 0. */
    uint32_t zero;
} navmap_path32;

/* A step of a way. 20 bytes. */
typedef struct navmap_step20 {
    /* Where it leads. */
    uint32_t area;
    /* How: `NAVMAP_WALK` and so on; `NAVMAP_NONE` for the first, at which the way begins. */
    uint32_t kind;
    /* 1 if the game can open and close the link. */
    uint32_t gated;
    /* The file's own number for the link, or `NAVMAP_NONE`. */
    uint32_t number;
    /* What the way costs up to here. */
    float cost;
} navmap_step20;

/* An area that a flood reached. 8 bytes. */
typedef struct navmap_reached8 {
    /* The area. */
    uint32_t area;
    /* What the way there costs. */
    float cost;
} navmap_reached8;

/* Where a move along the surface ended. 20 bytes. */
typedef struct navmap_slide20 {
    /* The area. */
    uint32_t area;
    /* The point, on its ground. */
    struct navmap_point point;
    /* 1 if that is the end that was asked for, as seen from above. */
    uint32_t arrived;
} navmap_slide20;

/* The nearest wall. 32 bytes. */
typedef struct navmap_wall32 {
    /* How far it is, as seen from above, in units. */
    float distance;
    /* Its closest point. */
    struct navmap_point point;
    /* The direction that it faces: level, of length 1, towards the inside of the area. */
    struct navmap_point normal;
    /* The area whose side it is. */
    uint32_t area;
} navmap_wall32;

/* A line. 24 bytes. */
typedef struct navmap_line24 {
    /* Its beginning. */
    struct navmap_point a;
    /* Its end. */
    struct navmap_point b;
} navmap_line24;

/* A point on the ground of an area. 16 bytes. */
typedef struct navmap_ground16 {
    /* The area. */
    uint32_t area;
    /* The point. */
    struct navmap_point point;
} navmap_ground16;

/* A corner of a walk. All lie on the mesh, but for a start and an end over or under their area, which stay as they are. 52 bytes. */
typedef struct navmap_corner52 {
    /* Where it is. */
    struct navmap_point point;
    /* The area in which one is there, before crossing the portal. */
    uint32_t area;
    /* The number of that area along the way, from 0. */
    uint32_t step;
    /* The kind of the link that begins here: `NAVMAP_WALK` and so on; `NAVMAP_NONE` where the walk begins or ends, and at a landing. */
    uint32_t kind;
    /* `NAVMAP_CORNER_START` and so on. */
    uint32_t flags;
    /* Left end of the line that is crossed here. At a leg its own first point: an end of the ladder, the take-off. */
    struct navmap_point left;
    /* Right end. At a leg its own last point: the other end of the ladder, the landing. */
    struct navmap_point right;
} navmap_corner52;

/* Where a corridor begins and ends. 40 bytes. */
typedef struct navmap_corridor40 {
    /* Where it begins: where the agent is, on the ground. */
    struct navmap_point position;
    /* Where it ends, on the ground. */
    struct navmap_point goal;
    /* The area that it begins in, or `NAVMAP_NONE` while it is empty. */
    uint32_t area;
    /* The area that it ends in, or `NAVMAP_NONE`. */
    uint32_t goal_area;
    /* How many areas are left, the first included. */
    uint32_t areas;
    /* 1 if its goal is the point that was asked for, as seen from above, and not only the nearest one to it. */
    uint32_t reaches_goal;
} navmap_corridor40;

/* A part of a way that is not walked. 60 bytes. */
typedef struct navmap_leg60 {
    /* The area that it leaves. */
    uint32_t from;
    /* The area that it reaches. */
    uint32_t to;
    /* What it is: `NAVMAP_LADDER` and so on. */
    uint32_t kind;
    /* The point of the mesh from which one gets on. */
    struct navmap_point mount;
    /* Its own first point: an end of the ladder, the take-off. */
    struct navmap_point begins;
    /* Its own last point: the other end of the ladder, the landing. */
    struct navmap_point ends;
    /* The point of the mesh on which one gets off. */
    struct navmap_point dismount;
} navmap_leg60;

/* An area that is seen. 8 bytes. */
typedef struct navmap_seen8 {
    /* The area. */
    uint32_t area;
    /* How much of it: `NAVMAP_PARTLY` or `NAVMAP_WHOLLY`. */
    uint32_t sight;
} navmap_seen8;

/* A hiding spot. 24 bytes. */
typedef struct navmap_hiding24 {
    /* The file's own name for it, or `NAVMAP_NONE`. */
    uint32_t id;
    /* The area that it is in. */
    uint32_t area;
    /* Where it is, on the ground. */
    struct navmap_point point;
    /* Its uses: `NAVMAP_COVER` and so on. */
    uint32_t kinds;
} navmap_hiding24;

/* A hiding spot that comes into view on a way. 44 bytes. */
typedef struct navmap_encounter44 {
    /* The area that the way leads through. */
    uint32_t area;
    /* The share of the way through the area after which the spot comes into view, 0 to 1. */
    float along;
    /* The point of the way there, on the ground. */
    struct navmap_point from;
    /* The spot. */
    struct navmap_hiding24 spot;
} navmap_encounter44;

/* What a hiding spot has to be like. Zeros want cover, however far; `size` must be set, as `NAVMAP_INIT` does. */
typedef struct navmap_hiding_options {
    /* `sizeof(navmap_hiding_options)`. */
    uint32_t size;
    /* The kinds that are wanted: any spot of these bits comes before all others. 0: `NAVMAP_COVER`. */
    uint32_t best;
    /* Those wanted next. 0: none. */
    uint32_t second;
    /* Those wanted last. 0: none. Snipers of the engine want `NAVMAP_IDEAL_SNIPER`, `NAVMAP_GOOD_SNIPER`, `NAVMAP_COVER`. */
    uint32_t third;
    /* How far it may be, by walking. 0: any. */
    float travel;
    /* How far one must see from it. 0: any. */
    float range;
    /* Areas in which no spot is taken, such as those that enemies see. NULL: none. */
    const struct navmap_mask *unseen;
} navmap_hiding_options;

/* A hiding spot that was found. 32 bytes. */
typedef struct navmap_hideout32 {
    /* The spot. */
    struct navmap_hiding24 spot;
    /* Which of the wanted kinds it is: 0 for the best. */
    uint32_t rank;
    /* What the walk to it costs. */
    float walk;
} navmap_hideout32;

/* How much of a way is seen. 20 bytes. */
typedef struct navmap_exposure20 {
    /* The length of the whole way, from center to center, in units. */
    float length;
    /* How much of it is in areas of the mask. Half of a link belongs to either of its areas. */
    float seen;
    /* The longest part that is seen without a break. */
    float longest;
    /* How many of its areas are in the mask. */
    uint32_t areas;
    /* The first of them, or `NAVMAP_NONE`. */
    uint32_t first;
} navmap_exposure20;

/* How a crowd is made. Zeros are the defaults; `size` must be set, as `NAVMAP_INIT` does. */
typedef struct navmap_crowd_options {
    /* `sizeof(navmap_crowd_options)`. */
    uint32_t size;
    /* The most agents. 0: 1,000. */
    uint32_t agents;
    /* The steps of a way for which each agent has memory, 32 bytes a step. A way that is longer takes more when it is found. 0: 256. */
    uint32_t steps;
    /* How many areas the searches of one tick visit, all together; longer ones go on in the next. 0: 4,096. */
    uint32_t pops;
    /* Breaks ties between agents that stand alike. The same crowd with the same seed moves alike, to the bit. */
    uint64_t seed;
} navmap_crowd_options;

/* How an agent moves, in units of the file and seconds. Zeros are those of a person; `size` must be set, as `NAVMAP_INIT` does. */
typedef struct navmap_body_options {
    /* `sizeof(navmap_body_options)`. */
    uint32_t size;
    /* Radius as seen from above. The mesh already keeps away from walls, so it counts only between agents. 0: 40 cm. */
    float radius;
    /* Height. Agents of other storeys do not make room for each other. 0: 1.8 m. */
    float height;
    /* Speed on foot, in units a second. 0: 3.5 m. */
    float speed;
    /* How fast the speed changes, in units a second for each second. 0: 12 m. */
    float acceleration;
    /* Speed on ladders, in jumps and over other legs. 0: 2.5 m. */
    float leg_speed;
    /* How many seconds ahead it makes room for others. 0: 1.5. */
    float horizon;
    /* How much it keeps away from others beyond what is needed. 0: 0.3; below 0: not at all. */
    float separation;
} navmap_body_options;

/* How many agents did what in a tick. 20 bytes. */
typedef struct navmap_tick20 {
    /* Follow their way. */
    uint32_t walking;
    /* Wait at a leg. */
    uint32_t waiting;
    /* Are on a leg. */
    uint32_t on_legs;
    /* Wait for their way to be searched. */
    uint32_t searching;
    /* Are at their goal. */
    uint32_t arrived;
} navmap_tick20;

/* An agent. 72 bytes. */
typedef struct navmap_agent72 {
    /* Its number, which no other agent of the crowd ever gets. */
    uint64_t agent;
    /* Where it is: on the mesh, or on a leg. */
    struct navmap_point at;
    /* Its velocity along the ground, in units a second. */
    struct navmap_point velocity;
    /* Its goal, if `has_goal`. */
    struct navmap_point goal;
    /* The area that it is in; on a leg, the one to which the leg leads. `NAVMAP_NONE` if it is in none. */
    uint32_t area;
    /* `NAVMAP_STANDING` and so on. */
    uint32_t doing;
    /* With `NAVMAP_ON_LEG` what the leg is, `NAVMAP_LADDER` and so on; else `NAVMAP_NONE`. */
    uint32_t kind;
    /* With `NAVMAP_ON_LEG` how far, 0 to 1; else 0. */
    float share;
    /* 1 if `goal` is set. */
    uint32_t has_goal;
    /* 0. */
    uint32_t zero;
} navmap_agent72;

/* A tile in memory. Its size is that of two pointers and a number of 64 bits; it never changes. */
typedef struct navmap_tile {
    /* The name of its file, which says where it lies: `plain_101_102_nav.nav2`, `0013029.mmtile`. */
    const char *name;
    /* Its bytes, which are copied. */
    const uint8_t *bytes;
    /* How many. */
    uint64_t len;
} navmap_tile;

/* One thing that is odd but readable. Texts last as long as the callback, `code` and `record` as long as the program. */
typedef struct navmap_finding {
    /* `sizeof(navmap_finding)` of the library, which may be newer. */
    uint32_t size;
    /* `NAVMAP_INFO` to `NAVMAP_ERROR`. From `NAVMAP_WARNING` on it counts against the mesh. */
    uint32_t severity;
    /* Stable name: `dangling-connection`. */
    const char *code;
    /* What it is, for a person. */
    const char *message;
    /* What kind of record, `area`; NULL if it is about none. */
    const char *record;
    /* Position of the record. */
    uint64_t index;
    /* Byte, if `has_offset`. */
    uint64_t offset;
    /* 1 if `offset` is set. */
    uint32_t has_offset;
    /* 1 if `place` is set. */
    uint32_t has_place;
    /* Where in the world. */
    struct navmap_point place;
    /* 1 if `id` is set. */
    uint32_t has_id;
    /* What people type after `#`: the id of an area, or of a node in the record; in a Bethesda mesh with the FormID in the high half, */
    /* in a Fox tile with the group there. `index` is the position in the file. */
    uint64_t id;
} navmap_finding;

/* Is called with each finding. The run ends if it answers with anything but 0. It must not throw. */
typedef int32_t (*navmap_on_finding)(const struct navmap_finding *finding, void *user);

/* How many findings there are. Set `size` before the call. */
typedef struct navmap_finding_totals {
    /* `sizeof(navmap_finding_totals)`. */
    uint32_t size;
    /* How many are kept, of all those below. */
    uint32_t kept;
    /* By severity: `NAVMAP_INFO` to `NAVMAP_ERROR`. */
    uint64_t by_severity[4];
} navmap_finding_totals;

/* One thing that is odd but readable. Its texts are never freed. It never changes; its size is that of the machine's pointers. */
typedef struct navmap_found {
    /* Stable name: `dangling-connection`. */
    const char *code;
    /* What kind of record, `area`; NULL if it is about none. */
    const char *record;
    /* Position of the record. */
    uint64_t index;
    /* Byte, with `NAVMAP_HAS_OFFSET`. */
    uint64_t offset;
    /* The id of the record, with `NAVMAP_HAS_ID`, as in `navmap_finding`. */
    uint64_t id;
    /* Where in the world, with `NAVMAP_HAS_PLACE`. */
    struct navmap_point place;
    /* `NAVMAP_INFO` to `NAVMAP_ERROR`. From `NAVMAP_WARNING` on it counts against the mesh. */
    uint32_t severity;
    /* `NAVMAP_HAS_OFFSET` and so on. */
    uint32_t flags;
    /* 0. */
    uint32_t zero;
} navmap_found;

/* How much changed. Set `size` before the call. */
typedef struct navmap_diff_totals {
    /* `sizeof(navmap_diff_totals)`. */
    uint32_t size;
    /* 1 if both are one mesh: other ids and another order do not count. */
    uint32_t same;
    /* 1 if the files are the same, byte for byte. */
    uint32_t same_bytes;
    /* How many changes are kept. */
    uint32_t kept;
    /* How many there are. */
    uint64_t changes;
    /* Areas before, of all meshes of the file. */
    uint64_t areas_before;
    /* Areas after. */
    uint64_t areas_after;
    /* Areas that both have. */
    uint64_t pairs;
    /* Areas with another id and no other change. They are no changes. */
    uint64_t renumbered;
    /* Links that are gone with an area at either end. They are no changes. */
    uint64_t links_gone;
    /* Links that came with an area at either end. They are no changes. */
    uint64_t links_come;
    /* Areas, links and marks that moved by no more than noise, which is left out. */
    uint64_t noise;
    /* Where a file could not be read on; it was compared up to there, and the text says where. */
    uint64_t damage;
} navmap_diff_totals;

/* One change. Numbers of areas are positions in the file of their side. 88 bytes. */
typedef struct navmap_change88 {
    /* The id of the area before; of a link the one it leaves. 0 if there was none. */
    uint64_t before_id;
    /* The id of the area after; of a link the one it leads to, as before. 0 if there is none. */
    uint64_t after_id;
    /* Flags that were added. */
    uint64_t set;
    /* Flags that it had. */
    uint64_t cleared;
    /* `NAVMAP_REMOVED` and so on. */
    uint32_t what;
    /* `NAVMAP_AREA_MOVED` and so on. */
    uint32_t flags;
    /* The area before, or `NAVMAP_NONE`; of a link the one it leaves. */
    uint32_t before;
    /* The area after, or `NAVMAP_NONE`. */
    uint32_t after;
    /* Of a link: where it leads, in numbers of before; `NAVMAP_NONE` if out of the file, and for all else. */
    uint32_t to;
    /* Of a link its kind, that of after if there are two: `NAVMAP_WALK` and so on; of a mark `NAVMAP_MARK_HIDING` and so on; else */
    /* `NAVMAP_NONE`. */
    uint32_t kind;
    /* Of a split or merge: into or of how many. Else 0. */
    uint32_t parts;
    /* Which mesh of the file: a plugin has one for each of its spaces. */
    uint32_t mesh;
    /* Where it is: the middle of the area after, or of the one before. */
    struct navmap_point at;
    /* How far all corners moved. */
    struct navmap_point moved;
} navmap_change88;

/* How a scan runs. Zeros are the defaults; `size` must be set, as `NAVMAP_INIT` does. */
typedef struct navmap_scan_options {
    /* `sizeof(navmap_scan_options)`. */
    uint32_t size;
    /* `NAVMAP_TASK_SURVEY` and so on. */
    uint32_t task;
    /* Worker threads. 0: one for each core. */
    uint32_t threads;
    /* 1: outcomes as they come, not in path order. */
    uint32_t unordered;
    /* 1: every member of an archive is looked at, not only those with a name of a mesh. */
    uint32_t deep;
    /* 0. */
    uint32_t zero;
} navmap_scan_options;

/* A named number. */
typedef struct navmap_count {
    /* `areas`, `links` and so on. Never freed. */
    const char *name;
    /* The number. */
    uint64_t value;
} navmap_count;

/* One mesh, or one file that could not be read. Everything in it lasts as long as the callback. */
typedef struct navmap_outcome {
    /* `sizeof(navmap_outcome)` of the library, which may be newer. */
    uint32_t size;
    /* 0 all is well, 1 read to the end with findings, 2 not read, not to the end, or with a finding that is an error. */
    uint32_t verdict;
    /* With a verdict of 2: what a call for this file alone would answer, `NAVMAP_FINDINGS` if it could be read. Else `NAVMAP_OK`. */
    navmap_status status;
    /* How many `counts`. */
    uint32_t count_len;
    /* How many `findings`. */
    uint32_t finding_len;
    /* Version of the format, or `NAVMAP_NONE`. */
    uint32_t version;
    /* Sub-version, or `NAVMAP_NONE`. */
    uint32_t subversion;
    /* 1 if `offset` is set. */
    uint32_t has_offset;
    /* The file. */
    const char *path;
    /* The path inside an archive, or NULL. */
    const char *member;
    /* Family of the format, or NULL. */
    const char *family;
    /* Kind of file, or NULL. */
    const char *kind;
    /* The best guess at the game, or NULL. */
    const char *game;
    /* What is wrong, without the path, or NULL. */
    const char *message;
    /* The kind of record that could not be read, or NULL. */
    const char *record;
    /* Index of that record. */
    uint64_t index;
    /* Byte at which it could not be read, if `has_offset`. */
    uint64_t offset;
    /* Bytes of the mesh. */
    uint64_t bytes;
    /* How many findings count against it. */
    uint64_t counted;
    /* What was counted; after an error, up to there. */
    const struct navmap_count *counts;
    /* Findings: all of them with `NAVMAP_TASK_CHECK`, else the first that counts. Each takes as many bytes as its `size` says. */
    const struct navmap_finding *findings;
} navmap_outcome;

/* Is called with each outcome, by one thread at a time, which need not be the caller's. The run ends if it answers with */
/* anything but 0. It must not throw. */
typedef int32_t (*navmap_on_outcome)(const struct navmap_outcome *outcome, void *user);

/* The result of a scan. Set `size` before the call. */
typedef struct navmap_totals {
    /* `sizeof(navmap_totals)`. */
    uint32_t size;
    /* 1 if the callback has stopped it. */
    uint32_t stopped;
    /* Files looked at, meshes or not. */
    uint64_t files;
    /* Meshes among them, readable or not. */
    uint64_t meshes;
    /* Bytes of these meshes. */
    uint64_t bytes;
    /* Findings that count. */
    uint64_t findings;
    /* Meshes, files and folders that could not be read. */
    uint64_t errors;
} navmap_totals;

/* A link, and where it begins and ends. 60 bytes. */
typedef struct navmap_link60 {
    /* The link. */
    struct navmap_link32 link;
    /* Where the ladder or the jump begins, if `has_ends`: as the file has it, else the center of the area. */
    struct navmap_point begins;
    /* Where it ends. */
    struct navmap_point ends;
    /* 1 if it is more than a step over a border; else `navmap_portal` tells where it is crossed. */
    uint32_t has_ends;
} navmap_link60;

/* A part of a mesh: areas that are joined to the start in the same way, and linked to each other. 24 bytes. */
typedef struct navmap_region24 {
    /* Square units of its ground, seen from above. */
    double surface;
    /* `NAVMAP_JOINED` and so on. */
    uint32_t joined;
    /* How many areas it has. */
    uint32_t areas;
    /* The first of them in file order. */
    uint32_t first;
    /* 0. */
    uint32_t zero;
} navmap_region24;

/* Where a trace ends. 40 bytes. */
typedef struct navmap_trace40 {
    /* The free part of the way: 1 if nothing was hit. A trace stops 1/32 of a unit before an obstacle. */
    float fraction;
    /* The point that was reached. */
    struct navmap_point end;
    /* The normal of the surface that was hit; zeros if nothing was. */
    struct navmap_point normal;
    /* What was hit: `NAVMAP_SOLID` and so on, as the engine numbers it. */
    uint32_t contents;
    /* The entity that was hit, as its number in the map; `NAVMAP_NONE` for the world. */
    uint32_t entity;
    /* `NAVMAP_START_SOLID` and so on. */
    uint32_t flags;
} navmap_trace40;

/* What an analysis does. Zeros are the defaults; `size` must be set, as `NAVMAP_INIT` does. */
typedef struct navmap_analyze_options {
    /* `sizeof(navmap_analyze_options)`. */
    uint32_t size;
    /* `NAVMAP_AS_GAME` and so on. */
    uint32_t extent;
    /* The parts that are computed, with commas between: `hiding`, `approach`, `encounters`, `snipers`, `visibility`, `times`. NULL: all. */
    const char *only;
    /* 1: the map may have another size than the mesh says. */
    uint32_t any_size;
    /* Most steps, in millions, of which a second has some hundred. 0: as many as maps and meshes of their sizes take, several times over. */
    uint32_t million_steps;
} navmap_analyze_options;

/* How far a computation is. The text is never freed. */
typedef struct navmap_progress {
    /* `sizeof(navmap_progress)` of the library, which may be newer. */
    uint32_t size;
    /* 0. */
    uint32_t zero;
    /* The stage: `sample`, `areas` and so on while a mesh is generated, `hiding`, `visibility` and so on while it is analysed. */
    const char *stage;
    /* How much of the stage is done. */
    uint64_t done;
    /* How much there is; 0 if nobody knows yet. */
    uint64_t total;
} navmap_progress;

/* Is called with the progress, on the thread that waits for the result: at once, and then about 20 times a second. The computation ends */
/* if it answers with anything but 0. It must not throw. */
typedef int32_t (*navmap_on_progress)(const struct navmap_progress *progress, void *user);

/* What is generated. Zeros are the defaults; `size` must be set, as `NAVMAP_INIT` does. */
typedef struct navmap_generate_options {
    /* `sizeof(navmap_generate_options)`. */
    uint32_t size;
    /* Most nodes, of which a map of a game has less than 100,000. 0: 1,048,576. About 150 bytes each. */
    uint32_t most_nodes;
    /* The game: `cz`, `css`, `csgo`, `tf2`, `gmod`. NULL: the one that the map tells, by where its teams begin. */
    const char *game;
    /* 1: the mesh is not analysed. */
    uint32_t unanalysed;
    /* Most steps of the analysis, as those of `navmap_analyze_options`. */
    uint32_t million_steps;
} navmap_generate_options;

/* What a picture shows. Zeros are the defaults; `size` must be set, as `NAVMAP_INIT` does. */
typedef struct navmap_draw_options {
    /* `sizeof(navmap_draw_options)`. */
    uint32_t size;
    /* `NAVMAP_PNG` and so on. */
    uint32_t flags;
    /* Width of the page in pixels, 64 to 16,384. 0: 1,600. */
    uint32_t width;
    /* Its height. 0: as high as the mesh needs. */
    uint32_t height;
    /* What colours mean: `height`, `place`, `island`, `flags`, `group`, `plain`, or names of flags with commas between them. NULL: */
    /* height. */
    const char *colour;
    /* What is shown besides the mesh, with commas between: `links`, `one-way`, `traversals`, `ladders`, `spots`, `doors`, `cover`, `entities`, */
    /* `names`, `ids`, `grid`, `ceilings`, or `all`, or `none`. NULL: what suits the mesh. */
    const char *layers;
    /* The heading. NULL: the name of the file. */
    const char *title;
    /* Lowest height that is shown, in units. The rest of the mesh is a faint outline. With `high`; both 0: all. */
    float low;
    /* Highest. */
    float high;
    /* The part of the world that is shown, as two corners in the horizontal coordinates of the file. All 0: the whole. */
    float part[4];
} navmap_draw_options;

#ifdef __cplusplus
extern "C" {
#endif /* __cplusplus */

/* The message, for a person: `maps/a.nav: area #18 (record 17), byte 0x4f02: connections: 4026531840 claimed, 11 bytes left`. */
/* It lasts as long as the error. Empty for NULL. */
const char *navmap_error_message(const struct navmap_error *error);

/* The status that the call answered with. */
navmap_status navmap_error_status(const struct navmap_error *error);

/* The file, where one is known; `archive!member` for a member. Empty if none is known. It lasts as long as the error. */
const char *navmap_error_file(const struct navmap_error *error);

/* Byte offset from the start of the file. `NAVMAP_NOTHING` if none is known. */
navmap_status navmap_error_offset(const struct navmap_error *error, uint64_t *offset);

/* The record: what it is (`area`; the text is never freed) and its index. `NAVMAP_NOTHING` if none is known. */
navmap_status navmap_error_record(const struct navmap_error *error,
                                  const char **kind,
                                  uint64_t *index);

/* Frees an error. NULL is none. */
navmap_status navmap_error_free(struct navmap_error *error);

/* The version of the library: `0.1.0`. Compare it with `NAVMAP_VERSION`, that of the header. */
const char *navmap_version(void);

/* The name of a status in small letters: `no-such-area`. Empty for a number that is none. Never freed. */
const char *navmap_status_name(int32_t status);

/* Reads what a path names, checks it and builds the index: a file, `archive!member`, a folder with the tiles of a */
/* Fox map, a folder of plugins. The file is read and never mapped. `options` may be NULL. */
navmap_status navmap_world_open(const char *path,
                                const struct navmap_options *options,
                                struct navmap_world **world,
                                struct navmap_error **error);

/* The same for bytes in memory, which are copied. The name appears in errors. Its extension decides if the bytes do not */
/* show their kind. */
navmap_status navmap_world_from_bytes(const char *name,
                                      const uint8_t *bytes,
                                      uint64_t len,
                                      const struct navmap_options *options,
                                      struct navmap_world **world,
                                      struct navmap_error **error);

/* The world of a load order: plugins, or folders of them, masters first. There must be one. */
navmap_status navmap_world_open_order(const char *const *plugins,
                                      uint32_t count,
                                      const struct navmap_options *options,
                                      struct navmap_world **world,
                                      struct navmap_error **error);

/* Takes one more reference to a world, for another thread. */
navmap_status navmap_world_retain(struct navmap_world *world);

/* Gives a reference back. The world goes with the last one. NULL is none. */
navmap_status navmap_world_free(struct navmap_world *world);

/* What a world is. */
navmap_status navmap_world_info(const struct navmap_world *world, struct navmap_info *info);

/* How many areas a world has. Their numbers are 0 up to, but not including, this. */
navmap_status navmap_world_area_count(const struct navmap_world *world, uint32_t *count);

/* The bit of a named flag of areas; case does not matter. `NAVMAP_NOTHING` if there is no such flag. */
navmap_status navmap_world_flag(const struct navmap_world *world,
                                const char *name,
                                uint64_t *bit);

/* The areas of a place by its name; case does not matter. Looks at every area. */
navmap_status navmap_world_in_place(const struct navmap_world *world,
                                    const char *name,
                                    uint32_t *areas,
                                    uint32_t capacity,
                                    uint32_t *count);

/* An area with its world, to recognise later whether the world was reloaded. */
navmap_status navmap_world_hold(const struct navmap_world *world,
                                uint32_t area,
                                struct navmap_held *held);

/* The number of a held area, if it is of this world. `NAVMAP_STALE` if it is of another: numbers do not survive a */
/* reload, ids do. */
navmap_status navmap_world_held(const struct navmap_world *world,
                                const struct navmap_held *held,
                                uint32_t *area);

/* Areas in bulk: from number `first` on, as many as fit. `count` is how many there are from `first` on. */
navmap_status navmap_world_areas(const struct navmap_world *world,
                                 uint32_t first,
                                 struct navmap_area32 *areas,
                                 uint32_t capacity,
                                 uint32_t *count);

/* The flags of areas in bulk, from number `first` on. `navmap_world_flag` names them. `count` is how many there are from */
/* `first` on. */
navmap_status navmap_world_area_flags(const struct navmap_world *world,
                                      uint32_t first,
                                      uint64_t *flags,
                                      uint32_t capacity,
                                      uint32_t *count);

/* The places of areas in bulk, from number `first` on, by the numbers of `navmap_world_place`; `NAVMAP_NONE` for an area that */
/* lies in none. `count` is how many areas there are from `first` on. */
navmap_status navmap_world_area_places(const struct navmap_world *world,
                                       uint32_t first,
                                       uint32_t *places,
                                       uint32_t capacity,
                                       uint32_t *count);

/* The number of the area with this id. If there are several, the first in the file. A binary search. */
navmap_status navmap_area_index(const struct navmap_world *world,
                                uint64_t id,
                                uint32_t *area);

/* What is known of an area. */
navmap_status navmap_area_get(const struct navmap_world *world,
                              uint32_t area,
                              struct navmap_area64 *about);

/* The corners in order around an area, or the one point of a waypoint. */
navmap_status navmap_area_corners(const struct navmap_world *world,
                                  uint32_t area,
                                  struct navmap_point *corners,
                                  uint32_t capacity,
                                  uint32_t *count);

/* The name of the place that an area lies in, with a NUL. `count` is its length with the NUL. `NAVMAP_NOTHING` if it */
/* lies in none. */
navmap_status navmap_area_place(const struct navmap_world *world,
                                uint32_t area,
                                char *name,
                                uint32_t capacity,
                                uint32_t *count);

/* Links out of an area, in file order. */
navmap_status navmap_area_links(const struct navmap_world *world,
                                uint32_t area,
                                struct navmap_link32 *links,
                                uint32_t capacity,
                                uint32_t *count);

/* Links into an area. */
navmap_status navmap_area_incoming(const struct navmap_world *world,
                                   uint32_t area,
                                   struct navmap_link32 *links,
                                   uint32_t capacity,
                                   uint32_t *count);

/* The area under a point, by the game's rule: the highest ground at most `reach` below the point */
/* (`NAVMAP_GAME_REACH`: what the game says). `ground` gets its height and may be NULL. `NAVMAP_NOTHING` if there is */
/* none. Areas of Quake III are told by the tree of their file, however high above their ground the point is, unless */
/* there is a `reach`. */
navmap_status navmap_area_at(const struct navmap_world *world,
                             const struct navmap_point *point,
                             float reach,
                             uint32_t *area,
                             float *ground);

/* The same for many points: `areas[i]` for `points[i]`, `NAVMAP_NONE` where there is none. `NAVMAP_TRUNCATED` if there */
/* is room for fewer areas than points. About twice as fast as one after the other. */
navmap_status navmap_area_at_many(const struct navmap_world *world,
                                  const struct navmap_point *points,
                                  uint32_t count,
                                  float reach,
                                  uint32_t *areas,
                                  uint32_t capacity);

/* The area whose closest point is nearest, no farther than `most` (which may be infinite). `how` is `NAVMAP_EXACT` or */
/* `NAVMAP_AS_ENGINE`. It knows nothing of walls: trace down to the ground first where the host can. */
/* `NAVMAP_NOTHING` if there is none. */
navmap_status navmap_nearest(const struct navmap_world *world,
                             const struct navmap_point *point,
                             float most,
                             uint32_t how,
                             struct navmap_near20 *near);

/* The exactly nearest of many points: `near[i]` for `points[i]`, its area `NAVMAP_NONE` where there is none. */
navmap_status navmap_nearest_many(const struct navmap_world *world,
                                  const struct navmap_point *points,
                                  uint32_t count,
                                  float most,
                                  struct navmap_near20 *near,
                                  uint32_t capacity);

/* Areas whose closest point is no farther than `radius`, in no order. */
navmap_status navmap_within(const struct navmap_world *world,
                            const struct navmap_point *point,
                            float radius,
                            struct navmap_near20 *near,
                            uint32_t capacity,
                            uint32_t *count);

/* Areas whose center is no farther than `radius`, as the engine has it; a radius of 0 means all. */
navmap_status navmap_centers_within(const struct navmap_world *world,
                                    const struct navmap_point *point,
                                    float radius,
                                    uint32_t *areas,
                                    uint32_t capacity,
                                    uint32_t *count);

/* Areas whose box touches a box, in no order. Sides may be infinite, for a column; none touches a box with a NaN. */
navmap_status navmap_in_box(const struct navmap_world *world,
                            const struct navmap_point *min,
                            const struct navmap_point *max,
                            uint32_t *areas,
                            uint32_t capacity,
                            uint32_t *count);

/* The first area that the line from `a` to `b` meets, from above or from below. `distance` is that from `a`. */
/* `NAVMAP_NOTHING` if it meets none. */
navmap_status navmap_along_ray(const struct navmap_world *world,
                               const struct navmap_point *a,
                               const struct navmap_point *b,
                               struct navmap_near20 *near);

/* Walks straight from `a`, which is in `area`, towards `b`, over links that one passes on foot. `areas` gets the areas */
/* that are entered. `NAVMAP_NOTHING` in a graph of waypoints, and for points that are no numbers. */
navmap_status navmap_walk_line(const struct navmap_world *world,
                               uint32_t area,
                               const struct navmap_point *a,
                               const struct navmap_point *b,
                               struct navmap_walk24 *walk,
                               uint32_t *areas,
                               uint32_t capacity,
                               uint32_t *count);

/* The portal of the first link from one area to another. `NAVMAP_NOTHING` without a link. */
navmap_status navmap_portal(const struct navmap_world *world,
                            uint32_t from,
                            uint32_t to,
                            struct navmap_portal24 *portal);

/* The point of an area that is closest to a point, and how far it is. */
navmap_status navmap_closest_point(const struct navmap_world *world,
                                   uint32_t area,
                                   const struct navmap_point *point,
                                   struct navmap_near20 *near);

/* Height of the ground of an area above or below a point. `NAVMAP_NOTHING` if the point is beside the area. */
navmap_status navmap_z_at(const struct navmap_world *world,
                          uint32_t area,
                          const struct navmap_point *point,
                          float *ground);

/* `NAVMAP_OK` if there is any way from one area to the other, else `NAVMAP_NO_WAY`. A look at a table of bits. */
navmap_status navmap_reachable(const struct navmap_world *world,
                               uint32_t from,
                               uint32_t to);

/* The number of a place by its name, for filters; case does not matter. `NAVMAP_NOTHING` if there is no such place. */
navmap_status navmap_world_place(const struct navmap_world *world,
                                 const char *name,
                                 uint32_t *number);

/* A mask for a world, with no area in it. A bit an area. */
navmap_status navmap_mask_new(const struct navmap_world *world,
                              struct navmap_mask **mask,
                              struct navmap_error **error);

/* Frees a mask. NULL is none. */
navmap_status navmap_mask_free(struct navmap_mask *mask);

/* Puts areas in (`on` is not 0) or takes them out. Nothing is changed if one of them does not exist. */
navmap_status navmap_mask_set(struct navmap_mask *mask,
                              const struct navmap_world *world,
                              const uint32_t *areas,
                              uint32_t count,
                              uint32_t on);

/* Puts in the areas that a filter accepts, and takes all others out. `NAVMAP_INVALID` if the filter reads the mask itself. */
navmap_status navmap_mask_fill(struct navmap_mask *mask,
                               const struct navmap_world *world,
                               const struct navmap_filter *filter);

/* `NAVMAP_OK` if an area is in the mask, else `NAVMAP_NOTHING`. */
navmap_status navmap_mask_has(const struct navmap_mask *mask,
                              const struct navmap_world *world,
                              uint32_t area);

/* The areas of a mask, in their order. */
navmap_status navmap_mask_areas(const struct navmap_mask *mask,
                                uint32_t *areas,
                                uint32_t capacity,
                                uint32_t *count);

/* Takes all areas out. */
navmap_status navmap_mask_clear(struct navmap_mask *mask);

/* `navmap_area_at` among the areas that a filter accepts, which may be NULL. */
navmap_status navmap_area_at_where(const struct navmap_world *world,
                                   const struct navmap_point *point,
                                   float reach,
                                   const struct navmap_filter *filter,
                                   uint32_t *area);

/* The area that somebody at a point stands on, among those that a filter accepts, which may be NULL: a way may begin there. */
/* It is that of `navmap_area_at` where its ground is under the point and no farther below than the game says. In Quake III */
/* that may tell an area whose ground is elsewhere. `NAVMAP_NOTHING` if there is none: then `navmap_nearest` tells the */
/* nearest. */
navmap_status navmap_stands_on(const struct navmap_world *world,
                               const struct navmap_point *point,
                               const struct navmap_filter *filter,
                               uint32_t *area);

/* `navmap_nearest`, exactly, among the areas that a filter accepts, which may be NULL. */
navmap_status navmap_nearest_where(const struct navmap_world *world,
                                   const struct navmap_point *point,
                                   float most,
                                   const struct navmap_filter *filter,
                                   struct navmap_near20 *near);

/* `navmap_within` among the areas that a filter accepts, which may be NULL. */
navmap_status navmap_within_where(const struct navmap_world *world,
                                  const struct navmap_point *point,
                                  float radius,
                                  const struct navmap_filter *filter,
                                  struct navmap_near20 *near,
                                  uint32_t capacity,
                                  uint32_t *count);

/* `navmap_walk_line` over the areas that a filter accepts, which may be NULL; all others are walls. The first area is not */
/* asked for. It tells which way the wall faces at which the walk stopped. */
navmap_status navmap_walk_line_where(const struct navmap_world *world,
                                     uint32_t area,
                                     const struct navmap_point *a,
                                     const struct navmap_point *b,
                                     const struct navmap_filter *filter,
                                     struct navmap_walk36 *walk,
                                     uint32_t *areas,
                                     uint32_t capacity,
                                     uint32_t *count);

/* An overlay for a world, in which nothing is blocked or dearer. 4 bytes an area. */
navmap_status navmap_overlay_new(const struct navmap_world *world,
                                 struct navmap_overlay **overlay,
                                 struct navmap_error **error);

/* Frees an overlay. NULL is none. */
navmap_status navmap_overlay_free(struct navmap_overlay *overlay);

/* Blocks an area: no way enters or leaves it. Nothing is found from within: no way, no distance, no area of a flood. To let */
/* somebody out, make it dear instead (`navmap_overlay_scale`). */
navmap_status navmap_overlay_block(struct navmap_overlay *overlay,
                                   uint32_t area);

/* Multiplies the cost of links into an area. A factor below 1, or NaN, counts as 1; an infinite one blocks. */
navmap_status navmap_overlay_scale(struct navmap_overlay *overlay,
                                   uint32_t area,
                                   float factor);

/* Sets the factor of many areas. Nothing is changed if one of them does not exist. */
navmap_status navmap_overlay_scale_many(struct navmap_overlay *overlay,
                                        const uint32_t *areas,
                                        uint32_t count,
                                        float factor);

/* Removes the factor of an area. */
navmap_status navmap_overlay_clear(struct navmap_overlay *overlay, uint32_t area);

/* Brings an overlay from the world that it belongs to, `before`, to another, as after a reload. Each area there gets the factor of */
/* the area that was in its place, so all parts of a blocked area are blocked if it was split. `gone`, which may be NULL, gets the */
/* number of areas with a factor that nothing took it over from, since they are gone or are part of a larger area now: if that is */
/* not 0, fill the overlay again. Costs nothing if it belongs to `world` already; else it allocates. `NAVMAP_OTHER_WORLD` if it */
/* belongs to neither. */
navmap_status navmap_overlay_remap(struct navmap_overlay *overlay,
                                   const struct navmap_world *before,
                                   const struct navmap_world *world,
                                   uint32_t *gone,
                                   struct navmap_error **error);

/* Removes all factors. */
navmap_status navmap_overlay_reset(struct navmap_overlay *overlay);

/* Memory for searches in a world. */
navmap_status navmap_query_new(const struct navmap_world *world,
                               struct navmap_query **query,
                               struct navmap_error **error);

/* Frees a query. NULL is none. */
navmap_status navmap_query_free(struct navmap_query *query);

/* Makes a query fit another world, for example after a reload. Costs nothing if it already fits. */
navmap_status navmap_query_fit(struct navmap_query *query, const struct navmap_world *world);

/* The way from one area to another, or to `goal`, a point in it, which may be NULL. `options` and `overlay` may be */
/* NULL. Nothing is allocated. `NAVMAP_OK` if there is a way, else `NAVMAP_NO_WAY`, `NAVMAP_PARTIAL`, */
/* `NAVMAP_LEAVES_LOADED` or `NAVMAP_UNFINISHED`; `path`, which may be NULL, is written in all of these cases. */
navmap_status navmap_query_path(struct navmap_query *query,
                                const struct navmap_world *world,
                                uint32_t from,
                                uint32_t to,
                                const struct navmap_point *goal,
                                const struct navmap_query_options *options,
                                const struct navmap_overlay *overlay,
                                struct navmap_path32 *path,
                                struct navmap_error **error);

/* Continues a search that was `NAVMAP_UNFINISHED`, for as many areas again. Pass the same options and overlay, which may be NULL, */
/* as may `path`. */
navmap_status navmap_query_resume(struct navmap_query *query,
                                  const struct navmap_world *world,
                                  const struct navmap_query_options *options,
                                  const struct navmap_overlay *overlay,
                                  struct navmap_path32 *path,
                                  struct navmap_error **error);

/* The steps of the way that was found last. `NAVMAP_OTHER_WORLD` if it was found in another one. */
navmap_status navmap_query_steps(struct navmap_query *query,
                                 const struct navmap_world *world,
                                 struct navmap_step20 *steps,
                                 uint32_t capacity,
                                 uint32_t *count);

/* The corners of the shortest walk along the way that was found last, from `start` to `end`, both included. A start */
/* that does not stand on the first area is moved to the nearest point of it, and an end to that of the last area. No */
/* corner is repeated, so a walk that stays where it is has one. `NAVMAP_INVALID` for points that are no numbers. */
navmap_status navmap_query_straighten(struct navmap_query *query,
                                      const struct navmap_world *world,
                                      const struct navmap_point *start,
                                      const struct navmap_point *end,
                                      struct navmap_point *corners,
                                      uint32_t capacity,
                                      uint32_t *count);

/* The cost of the way from an area to every other, by number; infinite if there is no way. There must be room for all */
/* areas. `options` and `overlay` may be NULL. `reached`, which may be NULL, gets how many were reached. */
navmap_status navmap_query_distance_map(struct navmap_query *query,
                                        const struct navmap_world *world,
                                        uint32_t from,
                                        const struct navmap_query_options *options,
                                        const struct navmap_overlay *overlay,
                                        float *costs,
                                        uint32_t capacity,
                                        uint32_t *reached,
                                        struct navmap_error **error);

/* The areas that can be reached from one, the nearest first, with the cost of the way. `options.max_length`, */
/* `max_step` and `max_drop` bound it. None from an area that is blocked. `options` and `overlay` may be NULL. */
navmap_status navmap_query_flood(struct navmap_query *query,
                                 const struct navmap_world *world,
                                 uint32_t from,
                                 const struct navmap_query_options *options,
                                 const struct navmap_overlay *overlay,
                                 struct navmap_reached8 *areas,
                                 uint32_t capacity,
                                 uint32_t *count,
                                 struct navmap_error **error);

/* Moves along the surface from `from`, which is in `area`, towards `to`, over links on foot and along walls. The move ends */
/* at the closest point to `to` that it reaches, and looks at 64 areas at most. `areas` gets the areas crossed. `filter` may */
/* be NULL; areas that it does not accept are walls. `NAVMAP_NOTHING` for points that are no numbers. */
navmap_status navmap_slide(const struct navmap_world *world,
                           uint32_t area,
                           const struct navmap_point *from,
                           const struct navmap_point *to,
                           const struct navmap_filter *filter,
                           struct navmap_slide20 *slide,
                           uint32_t *areas,
                           uint32_t capacity,
                           uint32_t *count);

/* The nearest wall around a point of an area, at most `radius` away and among the 128 areas that are nearest: a side, or a */
/* part of one, that no link on foot crosses. `NAVMAP_NOTHING` if there is none. */
navmap_status navmap_wall(const struct navmap_world *world,
                          uint32_t area,
                          const struct navmap_point *point,
                          float radius,
                          struct navmap_wall32 *wall);

/* The walls of an area: its sides, or parts of them, that no link on foot crosses. A waypoint has none. */
navmap_status navmap_area_walls(const struct navmap_world *world,
                                uint32_t area,
                                struct navmap_line24 *walls,
                                uint32_t capacity,
                                uint32_t *count);

/* How much higher the ground of `to` is than that of `from`, at the middle of their portal, in units. `NAVMAP_NOTHING` */
/* without a link. */
navmap_status navmap_step(const struct navmap_world *world,
                          uint32_t from,
                          uint32_t to,
                          float *step);

/* The width of the gap between two linked areas, as seen from above, in units. `NAVMAP_NOTHING` without a link. */
navmap_status navmap_gap(const struct navmap_world *world,
                         uint32_t from,
                         uint32_t to,
                         float *gap);

/* `NAVMAP_OK` if no link crosses a side of an area, else `NAVMAP_NOTHING`. Side 0 runs from the first corner to the second */
/* (in a mesh of Source north, then east, south, west). */
navmap_status navmap_is_edge(const struct navmap_world *world,
                             uint32_t area,
                             uint32_t side);

/* `NAVMAP_OK` if a point stands on an area, by the engine's test for the goal of a way, else `NAVMAP_NOTHING`. */
navmap_status navmap_contains(const struct navmap_world *world,
                              uint32_t area,
                              const struct navmap_point *point);

/* `NAVMAP_OK` if the boxes of two areas overlap as seen from above, else `NAVMAP_NOTHING`. */
navmap_status navmap_overlaps(const struct navmap_world *world, uint32_t a, uint32_t b);

/* A random spot on the ground of the whole world: every square unit, seen from above, is as likely as any other. The same */
/* seed gives the same spot; count the seed up for the next. The first call in a world computes sums of 8 bytes for every */
/* 64 areas. `NAVMAP_NOTHING` if no area has any size. */
navmap_status navmap_query_random(struct navmap_query *query,
                                  const struct navmap_world *world,
                                  uint64_t seed,
                                  struct navmap_ground16 *spot);

/* The same among the areas that can be reached from one. `options.max_length`, `max_step` and `max_drop` bound how far. */
/* `options` and `overlay` may be NULL. */
navmap_status navmap_query_random_within(struct navmap_query *query,
                                         const struct navmap_world *world,
                                         uint32_t from,
                                         const struct navmap_query_options *options,
                                         const struct navmap_overlay *overlay,
                                         uint64_t seed,
                                         struct navmap_ground16 *spot,
                                         struct navmap_error **error);

/* The corners of the shortest walk along the way that was found last, as `navmap_query_straighten` has them, with the links */
/* that begin at them. The first is the start, the last the end. No corner if no way was found. `NAVMAP_INVALID` for points */
/* that are no numbers. */
navmap_status navmap_query_corners(struct navmap_query *query,
                                   const struct navmap_world *world,
                                   const struct navmap_point *start,
                                   const struct navmap_point *end,
                                   struct navmap_corner52 *corners,
                                   uint32_t capacity,
                                   uint32_t *count);

/* An empty corridor for a world. */
navmap_status navmap_corridor_new(const struct navmap_world *world,
                                  struct navmap_corridor **corridor,
                                  struct navmap_error **error);

/* Frees a corridor. NULL is none. */
navmap_status navmap_corridor_free(struct navmap_corridor *corridor);

/* Takes over the way that a query found last, from `start` to `goal`. If these are not on its first and its last area, the */
/* corridor begins and ends at their nearest points. It is for this world from now on. `NAVMAP_INVALID` if the query has no */
/* way, and for points that are no numbers; the corridor is then as before. */
navmap_status navmap_corridor_follow(struct navmap_corridor *corridor,
                                     struct navmap_query *query,
                                     const struct navmap_world *world,
                                     const struct navmap_point *start,
                                     const struct navmap_point *goal,
                                     struct navmap_error **error);

/* Stands in an area and goes nowhere. It is for this world from now on. */
navmap_status navmap_corridor_stand(struct navmap_corridor *corridor,
                                    const struct navmap_world *world,
                                    uint32_t area,
                                    const struct navmap_point *at);

/* Where a corridor begins and ends. */
navmap_status navmap_corridor_get(struct navmap_corridor *corridor,
                                  struct navmap_corridor40 *about);

/* `NAVMAP_OK` if a corridor is at its goal: in the last area, and within this distance. Else `NAVMAP_NOTHING`. */
navmap_status navmap_corridor_is_at_goal(struct navmap_corridor *corridor,
                                         float within);

/* The areas that are left, from the one that the corridor begins in. */
navmap_status navmap_corridor_areas(struct navmap_corridor *corridor,
                                    uint32_t *areas,
                                    uint32_t capacity,
                                    uint32_t *count);

/* The next corners, as many as fit: more are not looked for, so `count` is never above `capacity`. Where the agent stands is */
/* none of them; the last one that exists is the goal. A corridor at its goal has one corner. */
navmap_status navmap_corridor_corners(struct navmap_corridor *corridor,
                                      const struct navmap_world *world,
                                      struct navmap_corner52 *corners,
                                      uint32_t capacity,
                                      uint32_t *count);

/* Moves the beginning along the surface towards a point, where the agent is now. `slide`, which may be NULL, gets where it */
/* is then. At the edge of a gap that the way leads over on foot, that is the other side. Else, if it has not arrived, the agent is */
/* beside the mesh or went farther than a slide does: see `navmap_corridor_repair`. `NAVMAP_INVALID` for an empty corridor, and for */
/* points that are no numbers. */
navmap_status navmap_corridor_advance(struct navmap_corridor *corridor,
                                      const struct navmap_world *world,
                                      const struct navmap_point *to,
                                      struct navmap_slide20 *slide);

/* The same for the goal, such as somebody who is followed. If it has not arrived, the goal is the nearest point on the */
/* surface: search a new way. */
navmap_status navmap_corridor_move_goal(struct navmap_corridor *corridor,
                                        const struct navmap_world *world,
                                        const struct navmap_point *to,
                                        struct navmap_slide20 *slide);

/* The leg that begins at the next corner: a ladder, a jump, a teleporter. `NAVMAP_NOTHING` if none does. */
navmap_status navmap_corridor_next_leg(struct navmap_corridor *corridor,
                                       const struct navmap_world *world,
                                       struct navmap_leg60 *leg);

/* Goes over the leg that begins at the next corner: the corridor then begins at its dismount. How the agent gets there is */
/* the caller's. `leg` may be NULL. `NAVMAP_NOTHING`, and nothing changes, if no leg begins there. */
navmap_status navmap_corridor_take_leg(struct navmap_corridor *corridor,
                                       const struct navmap_world *world,
                                       struct navmap_leg60 *leg);

/* Cuts a corner by walking straight towards a point, at most `range` units, if that arrives on the way again and costs no */
/* more. It crosses 64 areas at most. `NAVMAP_OK` if the way changed, else `NAVMAP_NOTHING`. `options` and `overlay` may be */
/* NULL. */
navmap_status navmap_corridor_shortcut(struct navmap_corridor *corridor,
                                       const struct navmap_world *world,
                                       const struct navmap_point *toward,
                                       float range,
                                       const struct navmap_query_options *options,
                                       const struct navmap_overlay *overlay,
                                       struct navmap_error **error);

/* Shortens the way as far as a little work does: straight to the goal or to the corner after the next, else by a search of */
/* 64 areas. The way that the query found last is gone then. `NAVMAP_OK` if the way changed, else `NAVMAP_NOTHING`. `options` and */
/* `overlay` may be NULL. */
navmap_status navmap_corridor_optimize(struct navmap_corridor *corridor,
                                       struct navmap_query *query,
                                       const struct navmap_world *world,
                                       const struct navmap_query_options *options,
                                       const struct navmap_overlay *overlay,
                                       struct navmap_error **error);

/* Brings a corridor back to its way after a push, a fall or a teleport to `at`; it looks at 256 areas at most. `mended`, which */
/* may be NULL, gets 1 if a search was needed. `NAVMAP_NO_WAY` if the point is too far off: the corridor then stands there, */
/* or is empty if no ground is near, so search a new way. `options` and `overlay` may be NULL. */
navmap_status navmap_corridor_repair(struct navmap_corridor *corridor,
                                     struct navmap_query *query,
                                     const struct navmap_world *world,
                                     const struct navmap_point *at,
                                     const struct navmap_query_options *options,
                                     const struct navmap_overlay *overlay,
                                     uint32_t *mended,
                                     struct navmap_error **error);

/* `NAVMAP_OK` if the next `steps` links of the way are still permitted, else `NAVMAP_NO_WAY`. `options` and `overlay` may be */
/* NULL. */
navmap_status navmap_corridor_is_valid(struct navmap_corridor *corridor,
                                       const struct navmap_world *world,
                                       uint32_t steps,
                                       const struct navmap_query_options *options,
                                       const struct navmap_overlay *overlay,
                                       struct navmap_error **error);

/* Brings a corridor to another world, as after a reload: each area of the way is looked for by its id and its place. */
/* `NAVMAP_PARTIAL` if only the beginning of the way exists there: the corridor ends there. `NAVMAP_NO_WAY` if nothing is */
/* where it begins: it is empty then. In both cases, search a new way. */
navmap_status navmap_corridor_remap(struct navmap_corridor *corridor,
                                    const struct navmap_world *world);

/* How much of one area is seen from another: `NAVMAP_HIDDEN`, `NAVMAP_PARTLY`, `NAVMAP_WHOLLY`. What an area inherits from */
/* another is resolved. Like all calls about tactics, `NAVMAP_INVALID` if the world was opened without `NAVMAP_TACTICS`. */
navmap_status navmap_sight(const struct navmap_world *world,
                           uint32_t from,
                           uint32_t to,
                           uint32_t *sight);

/* All areas that are seen from one, itself included. */
navmap_status navmap_seen(const struct navmap_world *world,
                          uint32_t from,
                          struct navmap_seen8 *areas,
                          uint32_t capacity,
                          uint32_t *count);

/* Adds to a mask what is seen from some areas, at least this much of it: `NAVMAP_PARTLY` or `NAVMAP_WHOLLY`. Nothing is */
/* changed if one of them does not exist. */
navmap_status navmap_mask_add_seen(struct navmap_mask *mask,
                                   const struct navmap_world *world,
                                   const uint32_t *areas,
                                   uint32_t count,
                                   uint32_t least,
                                   struct navmap_error **error);

/* The same from the areas under some points, such as where a team stands. `standing`, which may be NULL, gets how many of */
/* the points stand on an area; the others see nothing. */
navmap_status navmap_mask_add_seen_from(struct navmap_mask *mask,
                                        const struct navmap_world *world,
                                        const struct navmap_point *points,
                                        uint32_t count,
                                        uint32_t least,
                                        uint32_t *standing,
                                        struct navmap_error **error);

/* The hiding spots in an area, in file order; with `NAVMAP_NONE` those of all areas. */
navmap_status navmap_area_hiding(const struct navmap_world *world,
                                 uint32_t area,
                                 struct navmap_hiding24 *spots,
                                 uint32_t capacity,
                                 uint32_t *count);

/* The spots that come into view on the way through an area, from one of its neighbours to another, as they come. */
/* `NAVMAP_NOTHING` if the file has no such way. */
navmap_status navmap_area_encounters(const struct navmap_world *world,
                                     uint32_t from,
                                     uint32_t area,
                                     uint32_t to,
                                     struct navmap_encounter44 *encounters,
                                     uint32_t capacity,
                                     uint32_t *count);

/* The best hiding spots for somebody at a point of an area: by kind, then by walking distance. 64 at most; more are not */
/* looked for, so `count` is never above `capacity`. `hiding`, `options` and `overlay` may be NULL; of the options the costs */
/* and permitted links count. The way that the query found last is gone then. */
navmap_status navmap_query_spots(struct navmap_query *query,
                                 const struct navmap_world *world,
                                 uint32_t area,
                                 const struct navmap_point *at,
                                 const struct navmap_hiding_options *hiding,
                                 const struct navmap_query_options *options,
                                 const struct navmap_overlay *overlay,
                                 struct navmap_hideout32 *spots,
                                 uint32_t capacity,
                                 uint32_t *count,
                                 struct navmap_error **error);

/* The spots among which the engine's `FindNearbyHidingSpot` chooses, in the order in which it collects them: those of the */
/* first wanted kind of which there are any, 256 at most. It takes one at random, or the closest in a straight line; its own */
/* `travel` is 1,000 units. Blocked areas of the overlay are not entered. `hiding` and `overlay` may be NULL. No more are */
/* looked for than fit, so `count` is never above `capacity`. The way that the query found last is gone then. */
navmap_status navmap_query_spots_as_engine(struct navmap_query *query,
                                           const struct navmap_world *world,
                                           uint32_t area,
                                           const struct navmap_point *at,
                                           const struct navmap_hiding_options *hiding,
                                           const struct navmap_overlay *overlay,
                                           struct navmap_hiding24 *spots,
                                           uint32_t capacity,
                                           uint32_t *count,
                                           struct navmap_error **error);

/* The spots that come into view on the way that was found last, as they come: what to look at on the way. */
navmap_status navmap_query_encounters(struct navmap_query *query,
                                      const struct navmap_world *world,
                                      struct navmap_encounter44 *encounters,
                                      uint32_t capacity,
                                      uint32_t *count);

/* The nearest area by walking that is not in a mask, such as what enemies see, and what the walk costs; the area itself if it */
/* is not in the mask. `options.max_length`, `max_step` and `max_drop` bound it. `NAVMAP_NO_WAY` if there is none. `options` and */
/* `overlay` may be NULL. */
navmap_status navmap_query_retreat(struct navmap_query *query,
                                   const struct navmap_world *world,
                                   uint32_t from,
                                   const struct navmap_mask *watched,
                                   const struct navmap_query_options *options,
                                   const struct navmap_overlay *overlay,
                                   struct navmap_reached8 *retreat,
                                   struct navmap_error **error);

/* How much of the way that was found last lies in a mask, such as what enemies see. Zeros if there is no way. */
navmap_status navmap_query_exposure(struct navmap_query *query,
                                    const struct navmap_world *world,
                                    const struct navmap_mask *watched,
                                    struct navmap_exposure20 *exposure);

/* An empty crowd on a world. `options` may be NULL. 32 bytes for each step of each agent. */
navmap_status navmap_crowd_new(const struct navmap_world *world,
                               const struct navmap_crowd_options *options,
                               struct navmap_crowd **crowd,
                               struct navmap_error **error);

/* Frees a crowd. NULL is none. */
navmap_status navmap_crowd_free(struct navmap_crowd *crowd);

/* Adds an agent on the ground under a point, or at the nearest ground within the reach of the game. `body`, which may be NULL, */
/* says how it moves; `agent` gets its number. `NAVMAP_NOTHING` if no ground is near, `NAVMAP_LIMIT` if the crowd is full, */
/* `NAVMAP_INVALID` if a number of the body is below 0 or above a billion. */
navmap_status navmap_crowd_add(struct navmap_crowd *crowd,
                               const struct navmap_world *world,
                               const struct navmap_point *at,
                               const struct navmap_body_options *body,
                               uint64_t *agent,
                               struct navmap_error **error);

/* Removes an agent. `NAVMAP_NOTHING` if there is no such agent. */
navmap_status navmap_crowd_remove(struct navmap_crowd *crowd, uint64_t agent);

/* Sends an agent to a point: to the ground under it, or the nearest. Its way is searched in the next ticks. Until it is found, one */
/* that walks or is on a leg goes on; any other stands, and one that waited at a leg gives up its turn. `NAVMAP_NOTHING` if no */
/* ground is near, `NAVMAP_STALE` if there is no such agent. */
navmap_status navmap_crowd_go(struct navmap_crowd *crowd,
                              const struct navmap_world *world,
                              uint64_t agent,
                              const struct navmap_point *to,
                              struct navmap_error **error);

/* Has an agent stop. One on a leg goes over it first. `NAVMAP_STALE` if there is no such agent. */
navmap_status navmap_crowd_stop(struct navmap_crowd *crowd,
                                uint64_t agent,
                                struct navmap_error **error);

/* Tells where an agent is whom the game has moved: its physics, a push, a fall. For whoever is elsewhere than the crowd put it, each */
/* tick if need be. An agent keeps its speed and its goal, and its way is mended, or searched again if it does not lead back from */
/* there. One on a leg stays on it, unless it is farther than its height from where it should be. Beside the mesh counts as the */
/* nearest ground. Answers as `navmap_crowd_go` does; if that is not `NAVMAP_OK`, the agent is where it was. */
navmap_status navmap_crowd_moved(struct navmap_crowd *crowd,
                                 const struct navmap_world *world,
                                 uint64_t agent,
                                 const struct navmap_point *at,
                                 struct navmap_error **error);

/* Puts an agent elsewhere, as after a teleport. It stands there until its way is searched again; for whoever was only moved, see */
/* `navmap_crowd_moved`. Answers as `navmap_crowd_go` does. */
navmap_status navmap_crowd_place(struct navmap_crowd *crowd,
                                 const struct navmap_world *world,
                                 uint64_t agent,
                                 const struct navmap_point *at,
                                 struct navmap_error **error);

/* Moves everybody on by some seconds, 0.05 for 20 ticks a second. `options` and `overlay`, which may be NULL, say which ways are */
/* permitted and what they cost; `max_pops` is ignored. Ways that are no longer permitted are searched again. `tick`, which may be */
/* NULL, gets how many do what. Nothing is allocated unless a way is longer than the `steps` of the crowd. The same ticks give the */
/* same result to the bit. In more than a tenth of a second everybody is moved several times, up to 32. */
navmap_status navmap_crowd_tick(struct navmap_crowd *crowd,
                                const struct navmap_world *world,
                                float seconds,
                                const struct navmap_query_options *options,
                                const struct navmap_overlay *overlay,
                                struct navmap_tick20 *tick,
                                struct navmap_error **error);

/* An agent. `NAVMAP_NOTHING` if there is no such agent. */
navmap_status navmap_crowd_agent(struct navmap_crowd *crowd,
                                 uint64_t agent,
                                 struct navmap_agent72 *about);

/* All agents, in an order that stays the same while none is added or removed. Nothing is allocated. */
navmap_status navmap_crowd_agents(struct navmap_crowd *crowd,
                                  struct navmap_agent72 *agents,
                                  uint32_t capacity,
                                  uint32_t *count);

/* How many agents there are. */
navmap_status navmap_crowd_count(struct navmap_crowd *crowd, uint32_t *count);

/* Brings everybody to another world, as after a reload: ways are kept as far as they exist there, and who stands where there is no */
/* ground any more is put on the nearest. Costs nothing if it is the same world; else it allocates. `NAVMAP_NOTHING` if */
/* there are agents and the world has no ground at all: the crowd is then as before. */
navmap_status navmap_crowd_remap(struct navmap_crowd *crowd,
                                 const struct navmap_world *world,
                                 struct navmap_error **error);

/* A slot for what a path names, which is read now and at every reload. `options` may be NULL. */
navmap_status navmap_slot_new(const char *path,
                              const struct navmap_options *options,
                              struct navmap_slot **slot,
                              struct navmap_error **error);

/* A slot for a load order, as `navmap_world_open_order` reads it: plugins, or folders of them, masters first. There must be one. */
navmap_status navmap_slot_new_order(const char *const *plugins,
                                    uint32_t count,
                                    const struct navmap_options *options,
                                    struct navmap_slot **slot,
                                    struct navmap_error **error);

/* A slot that begins with a world: one of tiles, or one that an editor has made. The world is shared and stays the caller's. */
/* A reload puts it back. */
navmap_status navmap_slot_of_world(const struct navmap_world *world,
                                   struct navmap_slot **slot,
                                   struct navmap_error **error);

/* Frees a slot. Worlds that were taken from it stay. NULL is none. */
navmap_status navmap_slot_free(struct navmap_slot *slot);

/* Takes the current world, for a tick or longer. It is given back with `navmap_world_free`. */
navmap_status navmap_slot_load(const struct navmap_slot *slot, struct navmap_world **world);

/* Loads the world again and swaps it in, on the calling thread. `generation`, which may be NULL, gets its number. On */
/* failure the old one stays. */
navmap_status navmap_slot_reload(const struct navmap_slot *slot,
                                 uint64_t *generation,
                                 struct navmap_error **error);

/* Reloads, on the calling thread, if a file has changed since it was read: its size, or when it was written. Else `NAVMAP_NOTHING`, */
/* which costs a look at each file; of a folder, at the meshes and archives in it and in the folders below. For a server that asks */
/* once a second; a file that is refused is not read again until it changes. On failure the old world stays, and */
/* `navmap_slot_last_failure` tells why from then on. */
navmap_status navmap_slot_refresh(const struct navmap_slot *slot,
                                  uint64_t *generation,
                                  struct navmap_error **error);

/* Swaps in a world that was made elsewhere: by an editor, or by another slot. It is shared, not copied, and stays the caller's; the */
/* slot's own has the next generation. The next reload reads the path again. */
navmap_status navmap_slot_swap_world(const struct navmap_slot *slot,
                                     const struct navmap_world *world,
                                     uint64_t *generation);

/* Swaps in a world made of bytes in memory, which are copied: a download, a mesh that the server itself has made. On */
/* failure the old one stays, and only `error` tells why: it counts as no reload. The next reload reads the path again. */
navmap_status navmap_slot_swap_bytes(const struct navmap_slot *slot,
                                     const char *name,
                                     const uint8_t *bytes,
                                     uint64_t len,
                                     const struct navmap_options *options,
                                     uint64_t *generation,
                                     struct navmap_error **error);

/* How many reloads have failed. */
navmap_status navmap_slot_failures(const struct navmap_slot *slot, uint64_t *count);

/* Why the latest reload failed, with a NUL. `count` is its length with the NUL. `NAVMAP_NOTHING` if it succeeded. */
navmap_status navmap_slot_last_failure(const struct navmap_slot *slot,
                                       char *why,
                                       uint32_t capacity,
                                       uint32_t *count);

/* The world of tiles in memory, by the names of their files: `.nav2` of a Fox map, `.mmtile` and the `.mmap` of a server's map. */
/* Files with other names are passed over. It keeps the bytes, so that tiles can join and leave. `options` may be NULL. */
navmap_status navmap_world_from_tiles(const struct navmap_tile *tiles,
                                      uint32_t count,
                                      const struct navmap_options *options,
                                      struct navmap_world **world,
                                      struct navmap_error **error);

/* A world with one more tile, or with other bytes for the tile of this name. The old world stays as it is, and both share the */
/* bytes of all other files. The index is made anew, on the thread that calls. Areas are numbered anew, as after a reload. Fails */
/* if the world was not made by `navmap_world_from_tiles` or out of such a world, or the tile is none of its map. */
navmap_status navmap_world_with_tile(const struct navmap_world *world,
                                     const char *name,
                                     const uint8_t *bytes,
                                     uint64_t len,
                                     const struct navmap_options *options,
                                     struct navmap_world **with,
                                     struct navmap_error **error);

/* A world without the tile of this name. Fails if there is none, or if it is the last. */
navmap_status navmap_world_without_tile(const struct navmap_world *world,
                                        const char *name,
                                        const struct navmap_options *options,
                                        struct navmap_world **without,
                                        struct navmap_error **error);

/* How many tiles a world keeps. 0 if it was not made of tiles in memory. */
navmap_status navmap_world_tile_count(const struct navmap_world *world, uint32_t *count);

/* The name of a tile's file, by its position, with a NUL. `count` is its length with the NUL. `NAVMAP_NOTHING` if there is no such tile. */
navmap_status navmap_world_tile(const struct navmap_world *world,
                                uint32_t at,
                                char *name,
                                uint32_t capacity,
                                uint32_t *count);

/* A tile joins the current world of a slot, or takes the place of that of its name, as `navmap_world_with_tile` does. Changes by */
/* many threads are all kept, one after the other; those who take the world do not wait. On failure the old world stays. */
navmap_status navmap_slot_with_tile(const struct navmap_slot *slot,
                                    const char *name,
                                    const uint8_t *bytes,
                                    uint64_t len,
                                    const struct navmap_options *options,
                                    uint64_t *generation,
                                    struct navmap_error **error);

/* A tile leaves the current world of a slot. On failure the old world stays. */
navmap_status navmap_slot_without_tile(const struct navmap_slot *slot,
                                       const char *name,
                                       const struct navmap_options *options,
                                       uint64_t *generation,
                                       struct navmap_error **error);

/* Opens a mesh for editing: a file, or `archive!member`. The file stays as it is; the editor changes a copy in memory. A */
/* part of a split Fox tile is edited together with the other parts that lie beside it. `flags` is 0 or */
/* `NAVMAP_GAME_EXACT`, `options` may be NULL. */
navmap_status navmap_editor_open(const char *path,
                                 const struct navmap_options *options,
                                 uint32_t flags,
                                 struct navmap_editor **editor,
                                 struct navmap_error **error);

/* The same for the mesh of a world, which stays as it is. `NAVMAP_NOTHING` if the world was made of many files. */
navmap_status navmap_editor_of_world(const struct navmap_world *world,
                                     uint32_t flags,
                                     struct navmap_editor **editor,
                                     struct navmap_error **error);

/* Merges two lines of change, as `navmap merge` does: an editor of `ours` in which the changes from `base` to `theirs` are */
/* done as well. `navmap_editor_save`, `navmap_editor_bytes` and `navmap_editor_world` give the merged mesh, */
/* `navmap_editor_undo` takes changes of theirs back. `conflicts`, which may be NULL, gets how many changes of theirs are */
/* not done, because ours has changed the same in another way or because they do not fit; there the mesh is as in ours, */
/* and `navmap_editor_said` has a line for each. `options` may be NULL. `NAVMAP_DAMAGED` if such meshes cannot be merged. */
navmap_status navmap_merge(const char *base,
                           const char *ours,
                           const char *theirs,
                           const struct navmap_options *options,
                           uint32_t *conflicts,
                           struct navmap_editor **editor,
                           struct navmap_error **error);

/* Frees an editor. Changes that were not saved are lost. NULL is none. */
navmap_status navmap_editor_free(struct navmap_editor *editor);

/* Runs commands, on lines or with semicolons between them, as `navmap edit` does. `said` gets what they answer, which */
/* ends with a NUL that is counted. `NAVMAP_REFUSED` if a command was refused: the error says which, at which line and */
/* column, and why. That command has changed nothing; the commands before it stay done. With `NAVMAP_TRUNCATED` the */
/* commands have run: do not run them again, `navmap_editor_said` has their whole answer. */
navmap_status navmap_editor_run(struct navmap_editor *editor,
                                const char *script,
                                char *said,
                                uint32_t capacity,
                                uint32_t *count,
                                struct navmap_error **error);

/* What the commands of the latest run have answered, up to the one that was refused if one was. It stays until the */
/* next run, so its size can be asked for first. It ends with a NUL that is counted. */
navmap_status navmap_editor_said(struct navmap_editor *editor,
                                 char *said,
                                 uint32_t capacity,
                                 uint32_t *count);

/* Undoes this many steps, or as many as there are. A step is a command, or a group of them. `undone`, which may be NULL, */
/* gets how many. Undoing all of them gives the bytes that were opened. */
navmap_status navmap_editor_undo(struct navmap_editor *editor,
                                 uint32_t steps,
                                 uint32_t *undone);

/* Does steps again that were undone. */
navmap_status navmap_editor_redo(struct navmap_editor *editor, uint32_t steps, uint32_t *redone);

/* A report for a person: what has changed since the mesh was opened, and what became stale by it. It ends with a NUL that */
/* is counted. */
navmap_status navmap_editor_report(struct navmap_editor *editor,
                                   char *report,
                                   uint32_t capacity,
                                   uint32_t *count);

/* The changed mesh as a file. Every call encodes it, also one that asks only for the size. */
navmap_status navmap_editor_bytes(struct navmap_editor *editor,
                                  uint8_t *bytes,
                                  uint32_t capacity,
                                  uint32_t *count,
                                  struct navmap_error **error);

/* Writes the mesh as it is now to a file, wholly or not at all: to a temporary file, which then takes the place of what */
/* is there. Other parts of a split Fox tile that have changed are written beside it, under the names of parts. The file that */
/* `navmap_editor_open` opened, or ours of `navmap_merge`, is only replaced if nobody but this editor has written it since, */
/* and no read-only file is: `NAVMAP_IO`, and nothing is written. */
navmap_status navmap_editor_save(struct navmap_editor *editor,
                                 const char *path,
                                 struct navmap_error **error);

/* A world of the mesh as it is now. The name stands in its errors. `options` may be NULL. */
navmap_status navmap_editor_world(struct navmap_editor *editor,
                                  const char *name,
                                  const struct navmap_options *options,
                                  struct navmap_world **world,
                                  struct navmap_error **error);

/* Reads all of a mesh and calls `each` with every finding, mostly in file order. `counted`, which may be NULL, gets */
/* how many of them count against it. `NAVMAP_STOPPED` if the callback has stopped it. */
/* */
/* Fails where the mesh cannot be read on; the findings before that have been told. */
navmap_status navmap_check(const char *path,
                           const struct navmap_options *options,
                           navmap_on_finding each,
                           void *user,
                           uint64_t *counted,
                           struct navmap_error **error);

/* Reads all of a mesh and keeps what is odd about it: `most` findings, mostly in file order, or 65,536 if it is 0; all are */
/* counted. `options` may be NULL. Fails where the mesh cannot be read on; `navmap_check` tells the findings before that. */
navmap_status navmap_findings_open(const char *path,
                                   const struct navmap_options *options,
                                   uint32_t most,
                                   struct navmap_findings **findings,
                                   struct navmap_error **error);

/* Frees findings. NULL is none. */
navmap_status navmap_findings_free(struct navmap_findings *findings);

/* How many there are. */
navmap_status navmap_findings_count(const struct navmap_findings *findings,
                                    struct navmap_finding_totals *totals);

/* Those that are kept, from position `first` on. `count` is how many there are from there. */
navmap_status navmap_findings_get(const struct navmap_findings *findings,
                                  uint32_t first,
                                  struct navmap_found *found,
                                  uint32_t capacity,
                                  uint32_t *count);

/* What a finding is, for a person, by its position, with a NUL. `count` is its length with the NUL. `NAVMAP_NOTHING` if there is */
/* no such finding. */
navmap_status navmap_findings_text(const struct navmap_findings *findings,
                                   uint32_t at,
                                   char *text,
                                   uint32_t capacity,
                                   uint32_t *count);

/* Compares two files, mesh by mesh: what is gone and new, then what was split, merged and changed, then links and marks, each in file */
/* order. Ids are no identity: areas are matched by where they lie if ids do not mean the same. `most` changes are kept, or */
/* 1,048,576 if it is 0; all are counted. `flags` is 0, or `NAVMAP_NEUTRAL`, `NAVMAP_NOISE`. `options` may be NULL. Its time and */
/* memory grow with both files. */
navmap_status navmap_diff_open(const char *before,
                               const char *after,
                               const struct navmap_options *options,
                               uint32_t flags,
                               uint32_t most,
                               struct navmap_diff **diff,
                               struct navmap_error **error);

/* Frees a difference. NULL is none. */
navmap_status navmap_diff_free(struct navmap_diff *diff);

/* How much changed. */
navmap_status navmap_diff_count(const struct navmap_diff *diff, struct navmap_diff_totals *totals);

/* The changes that are kept, from position `first` on. `count` is how many there are from there. */
navmap_status navmap_diff_get(const struct navmap_diff *diff,
                              uint32_t first,
                              struct navmap_change88 *changes,
                              uint32_t capacity,
                              uint32_t *count);

/* A change in words, by its position, with a NUL; with `NAVMAP_NONE` what the heads, the counts and `check` say otherwise than before, */
/* and where a file could not be read on, a line each. `count` is its length with the NUL. `NAVMAP_NOTHING` if there is no such change. */
navmap_status navmap_diff_text(const struct navmap_diff *diff,
                               uint32_t at,
                               char *text,
                               uint32_t capacity,
                               uint32_t *count);

/* Walks files, folders and archives and calls `each` with one outcome for every mesh, in path order. Nothing stops it */
/* but the callback: what cannot be read is an outcome too. `open`, `options` and `totals` may be NULL. */
/* `NAVMAP_STOPPED` if the callback has stopped it; `totals` is written then too. */
navmap_status navmap_scan(const char *const *paths,
                          uint32_t count,
                          const struct navmap_options *open,
                          const struct navmap_scan_options *options,
                          navmap_on_outcome each,
                          void *user,
                          struct navmap_totals *totals,
                          struct navmap_error **error);

/* Links of some kinds out of all areas, with their ends: `1u << NAVMAP_LADDER` lists the ladders, once for each way that they */
/* are climbed. */
navmap_status navmap_world_links(const struct navmap_world *world,
                                 uint32_t kinds,
                                 struct navmap_link60 *links,
                                 uint32_t capacity,
                                 uint32_t *count);

/* Divides a mesh by how it is joined to some areas, such as those in which players appear: what can be reached first, and */
/* among equals the part with the most areas. `of_area` gets the position of each area's part, by number of the area: none */
/* (NULL and 0), or there must be room for all areas. Links and areas that `options` and `overlay` forbid count as missing, those of */
/* `from` too; both may be NULL. Linear in areas and links; it allocates. */
navmap_status navmap_world_regions(const struct navmap_world *world,
                                   const uint32_t *from,
                                   uint32_t starts,
                                   const struct navmap_query_options *options,
                                   const struct navmap_overlay *overlay,
                                   struct navmap_region24 *regions,
                                   uint32_t capacity,
                                   uint32_t *count,
                                   uint32_t *of_area,
                                   uint32_t areas,
                                   struct navmap_error **error);

/* Reads a map, and checks every index in it once: a file, or `archive!member`. The file is not mapped. `options`, which may be */
/* NULL, bounds what it costs. Static props have their shapes in other files: traces pass through them. */
navmap_status navmap_map_open(const char *path,
                              const struct navmap_options *options,
                              struct navmap_map **map,
                              struct navmap_error **error);

/* Frees a map. NULL is none. */
navmap_status navmap_map_free(struct navmap_map *map);

/* Traces a line through the world and the solid entities of a map, to what `contents` has a bit of. */
navmap_status navmap_map_line(const struct navmap_map *map,
                              const struct navmap_point *from,
                              const struct navmap_point *to,
                              uint32_t contents,
                              struct navmap_trace40 *trace);

/* The same for a box that reaches from `low` to `high` around the moving point. `NAVMAP_NOTHING` in GoldSrc, whose maps have */
/* no brushes to trace a box against. */
navmap_status navmap_map_box(const struct navmap_map *map,
                             const struct navmap_point *from,
                             const struct navmap_point *to,
                             const struct navmap_point *low,
                             const struct navmap_point *high,
                             uint32_t contents,
                             struct navmap_trace40 *trace);

/* What fills a point, of the world and of the entities there: 0 for air. */
navmap_status navmap_map_contents(const struct navmap_map *map,
                                  const struct navmap_point *point,
                                  uint32_t *contents);

/* Computes what follows from a mesh of Source of version 1 to 16, as the game's `nav_analyze` does: hiding spots, encounter paths, who */
/* sees whom. `editor` gets the analysed mesh, to be saved or made a world; `navmap_editor_said` tells what was done. The file */
/* stays as it is. Without a `map`, which may be NULL, what needs one is kept as far as it still fits. `options`, `how` and `each` may be */
/* NULL. With `each`, it computes on another thread, and this one tells how far it is. It may take minutes of all cores. */
/* `NAVMAP_STOPPED` if the callback has stopped it. */
navmap_status navmap_analyze(const char *path,
                             const struct navmap_map *map,
                             const struct navmap_options *options,
                             const struct navmap_analyze_options *how,
                             navmap_on_progress each,
                             void *user,
                             struct navmap_editor **editor,
                             struct navmap_error **error);

/* Makes a mesh of a map alone, as the game's `nav_generate` does, and analyses it. `editor` gets it, to be saved or made a world; `name` is */
/* what its errors call it. `how` and `each`, which may be NULL, and the rest as for `navmap_analyze`. */
navmap_status navmap_generate(const struct navmap_map *map,
                              const char *name,
                              const struct navmap_generate_options *how,
                              navmap_on_progress each,
                              void *user,
                              struct navmap_editor **editor,
                              struct navmap_error **error);

/* `NAVMAP_OK` if the library was built with a feature: `draw`. Else `NAVMAP_NOTHING`. */
navmap_status navmap_has(const char *feature);

/* Draws a mesh from above, as SVG or PNG: a file, or `archive!member`; of a plugin or a folder its first mesh. `options` and `how` may be */
/* NULL. Every call draws it, also one that asks only for the size. Linear in areas and links, and 4 bytes a */
/* pixel. `NAVMAP_INVALID` if the library was built without `draw`. */
navmap_status navmap_draw(const char *path,
                          const struct navmap_options *options,
                          const struct navmap_draw_options *how,
                          uint8_t *picture,
                          uint32_t capacity,
                          uint32_t *count,
                          struct navmap_error **error);

#ifdef __cplusplus
}  /* extern "C" */
#endif  /* __cplusplus */

#endif  /* NAVMAP_H */
