/* pal.h: the contract of libpal, the one C library below the storage engine.
 *
 * Rules of the border:
 *  - Fixed-width types only, no bool, no struct by value, explicit padding; sizes are exported by pal_struct_size.
 *  - Every call that can fail returns a pal_status and fills the caller's pal_error (also on success: all zero).
 *    `error` must not be null. There is no global "last error".
 *  - Buffers and paths belong to the caller and are only used during the call. Paths are NUL-terminated UTF-8.
 *  - All functions may be called from any thread. Unless said otherwise they block on the disk.
 *  - EINTR and short transfers are retried inside; a write that makes no progress is an I/O error.
 *  - No policy and no allocation per I/O. Nothing here reads or writes global variables that change.
 */
#ifndef PAL_H
#define PAL_H

#include <stdint.h>

/* Changes with every incompatible change of this file; the loader compares it. */
#define PAL_ABI_VERSION 6

/* Alignment of journal writes, zero fills and holes: the largest sector size in use. */
#define PAL_ALIGNMENT 4096

/* Vectors of one journal write: IOV_MAX of Linux and macOS. */
#define PAL_VECTORS_MAX 1024

#ifdef _WIN32
#define PAL_API __declspec(dllexport)
#else
#define PAL_API __attribute__((visibility("default")))
#endif

enum pal_status {
    PAL_OK = 0,
    PAL_IO_ERROR = 1,
    PAL_NO_SPACE = 2,
    PAL_NOT_FOUND = 3,
    PAL_ALREADY_EXISTS = 4,
    PAL_ACCESS_DENIED = 5,
    PAL_LOCKED = 6,
    PAL_CROSS_DEVICE = 7,
    PAL_TOO_MANY_LINKS = 8,
    PAL_NOT_SUPPORTED = 9,
    PAL_INVALID_ARGUMENT = 10,
    PAL_NO_MEMORY = 11,
    PAL_TOO_MANY_FILES = 12
};

/* The step that failed; pal_op_name gives its text. */
enum pal_op {
    PAL_OP_NONE = 0,
    PAL_OP_OPEN = 1,
    PAL_OP_CLOSE = 2,
    PAL_OP_STAT = 3,
    PAL_OP_ALLOCATE = 4,
    PAL_OP_SET_LENGTH = 5,
    PAL_OP_READ = 6,
    PAL_OP_WRITE = 7,
    PAL_OP_SYNC_DATA = 8,
    PAL_OP_SYNC_FULL = 9,
    PAL_OP_PUNCH = 10,
    PAL_OP_MAP = 11,
    PAL_OP_UNMAP = 12,
    PAL_OP_LOCK = 13,
    PAL_OP_LINK = 14,
    PAL_OP_RENAME = 15,
    PAL_OP_DELETE = 16,
    PAL_OP_MAKE_DIRECTORY = 17,
    PAL_OP_LIST_DIRECTORY = 18,
    PAL_OP_REMOVE_DIRECTORY = 19,
    PAL_OP_SYNC_DIRECTORY = 20,
    PAL_OP_FREE_SPACE = 21,
    PAL_OP_MEMORY_FILE = 22,
    PAL_OP_MEMORY = 23,
    PAL_OP_RING_SETUP = 24,
    PAL_OP_RING_SUBMIT = 25, /* the kernel did not take a request */
    PAL_OP_RING_WAIT = 26,   /* it took one and never reported how it ended */
    PAL_OP_COUNT = 27
};

enum pal_opening { PAL_OPEN_EXISTING = 0, PAL_CREATE_NEW = 1, PAL_OPEN_OR_CREATE = 2 };
enum pal_use { PAL_USE_DATA = 0, PAL_USE_JOURNAL = 1, PAL_USE_READ_ONLY = 2 };
enum pal_sync_kind { PAL_SYNC_DATA = 0, PAL_SYNC_FULL = 1 };

/* How page writes reach the file. All are durable after pal_file_sync, none before, and none bypasses the cache. */
enum pal_write_mode {
    PAL_WRITE_FILE = 0,     /* one call for each page: the control */
    PAL_WRITE_VECTORED = 1, /* one call for neighbours */
    PAL_WRITE_RING = 2,     /* neighbours are one request in the submission ring */
    PAL_WRITE_MAPPED = 3    /* a writable mapping of the range for the time of the call, and msync */
};

enum pal_struct { PAL_STRUCT_ERROR = 0, PAL_STRUCT_VECTOR = 1, PAL_STRUCT_PAGE_WRITE = 2, PAL_STRUCT_WRITE_COUNTS = 3,
                  PAL_STRUCT_FILE_STATUS = 4, PAL_STRUCT_RING_STEP = 5, PAL_STRUCT_RING_SCRIPT = 6,
                  PAL_STRUCT_RING_TRACE = 7 };

/* Facts of a failure. `code` is zero exactly when `os_errno` and `op` are. */
struct pal_error {
    int32_t code;     /* enum pal_status */
    int32_t os_errno; /* errno of the failed step; on Windows its GetLastError */
    int32_t op;       /* enum pal_op */
    int32_t item;     /* index in the batch (write, folder), -1 when the call has no batch */
    int64_t offset;   /* byte offset of the failed piece, -1 when it has none */
    int64_t len;      /* bytes of the failed piece, -1 when it has none */
};

/* One piece of a vectored write. */
struct pal_vector {
    void *base;
    int64_t length;
};

/* One page write of a batch. */
struct pal_page_write {
    void *base;
    int64_t offset;
    int64_t length;
};

/* Opaque; see pal_ring_open. */
struct pal_ring;

/* What a batch cost. */
struct pal_write_counts {
    int64_t calls; /* system calls; of a ring, those made while the batch was at work */
    int64_t runs;  /* contiguous ranges, neighbours merged */
    int64_t bytes;
};

/* What the file system knows of a file. */
struct pal_file_status {
    uint64_t device;
    uint64_t file; /* inode; equal (device, file) = same file */
    int64_t length;
    int32_t links;
    int32_t is_directory; /* 1 or 0 */
    int64_t owner;        /* the user's number; -1 on Windows, which has none */
    int64_t allocated;    /* bytes of its blocks: fewer than its length where it has holes */
};

/* ---- About the library. Never block, never fail. ---- */

PAL_API int32_t pal_abi_version(void);

/* Bytes of a struct that crosses the border (enum pal_struct), -1 for an unknown one. */
PAL_API int32_t pal_struct_size(int32_t which);

/* Static text of an enum pal_op; never null, never freed. */
PAL_API const char *pal_op_name(int32_t op);

/* Writes the system's text for an errno into the caller's buffer, always terminated. */
PAL_API void pal_error_text(int32_t os_errno, char *buffer, int32_t length);

/* The one place where an errno becomes a pal_status. Exported for its test. */
PAL_API int32_t pal_status_of(int32_t op, int32_t os_errno);

/* ---- Files. A file is a descriptor that the caller owns until pal_file_close. ---- */

/* Opens a regular file. PAL_USE_JOURNAL: every write is unbuffered and durable when it returns; `direct` says whether
 * the file system took the unbuffered mode (otherwise writes are durable, but go through the cache). */
PAL_API int32_t pal_file_open(const char *path, int32_t opening, int32_t use, int32_t *fd, int32_t *direct,
                              struct pal_error *error);

/* Closes; the descriptor is gone even when an error is returned. */
PAL_API int32_t pal_file_close(int32_t fd, struct pal_error *error);

PAL_API int32_t pal_file_status(int32_t fd, struct pal_file_status *status, struct pal_error *error);

/* Grows the file to at least `length` with real blocks; new bytes read as zero. Holes inside the old length stay holes.
 * When space runs out the file has its old length again. One thread per file. */
PAL_API int32_t pal_file_allocate(int32_t fd, int64_t length, struct pal_error *error);

/* Overwrites a range with zeros in the file's own write mode. Offset and length: multiples of PAL_ALIGNMENT. */
PAL_API int32_t pal_file_zero_fill(int32_t fd, int64_t offset, int64_t length, struct pal_error *error);

/* Cuts or extends (sparsely). */
PAL_API int32_t pal_file_set_length(int32_t fd, int64_t length, struct pal_error *error);

/* Reads until `length` bytes or the end of the file; `done` gets the bytes read. For a file opened for the journal,
 * address, offset and length are multiples of PAL_ALIGNMENT. */
PAL_API int32_t pal_file_read(int32_t fd, int64_t offset, void *destination, int64_t length, int64_t *done,
                              struct pal_error *error);

/* Durable vectored write to a file opened with PAL_USE_JOURNAL: all bytes are on stable storage, or it fails.
 * Everything in multiples of PAL_ALIGNMENT, 1..PAL_VECTORS_MAX vectors. After an error the contents of the range are
 * undefined. */
PAL_API int32_t pal_journal_write(int32_t fd, const struct pal_vector *vectors, int32_t count, int64_t offset,
                                  struct pal_error *error);

/* Buffered writes, sorted by offset, without overlap, in one of the modes of enum pal_write_mode; `ring` is for
 * PAL_WRITE_RING and may be null. Without a ring, with one that accepts no more, and for a batch of one request,
 * PAL_WRITE_VECTORED is used.
 * Returns when the caller's memory is not needed any more; only after PAL_OP_RING_WAIT the kernel may still read it.
 * `counts` is always filled. On an error `item` is the first write of the run that failed (of the request, with a ring);
 * earlier runs are written, and with a ring any others may be.
 * PAL_WRITE_MAPPED: errors come late. A failed write-back is reported by the msync at the end of the call or by a
 * later pal_file_sync, without the page. A hole in the range on a full disk, and a disk error while a page is read
 * in, end the process (SIGBUS). A range beyond the end of the file is allocated first, so there a full disk is an
 * error. */
PAL_API int32_t pal_pages_write(int32_t fd, int32_t mode, struct pal_ring *ring, const struct pal_page_write *writes,
                                int32_t count, struct pal_write_counts *counts, struct pal_error *error);

/* Makes writes that returned before durable. An error is final: a second call may report success for lost data. */
PAL_API int32_t pal_file_sync(int32_t fd, int32_t kind, struct pal_error *error);

/* Returns the blocks of a range to the file system; the range reads as zeros, the length stays. Multiples of
 * PAL_ALIGNMENT. */
PAL_API int32_t pal_file_punch(int32_t fd, int64_t offset, int64_t length, struct pal_error *error);

/* Gives holes inside the file real blocks again; contents stay. PAL_NOT_SUPPORTED where blocks cannot be allocated
 * without writing them: then nothing changed. Multiples of PAL_ALIGNMENT. */
PAL_API int32_t pal_file_fill_hole(int32_t fd, int64_t offset, int64_t length, struct pal_error *error);

/* ---- The submission ring: meant as one for the process, with a thread of its own. Never for journals. ---- */

/* Makes the ring and its thread. A refusal (EPERM, ENOSYS, ENOMEM) is an error like others: use another mode. Blocks
 * while a thread starts. The caller closes the ring when none of its writes is in progress. */
PAL_API int32_t pal_ring_open(struct pal_ring **ring, struct pal_error *error);
PAL_API void pal_ring_close(struct pal_ring *ring);

/* 1 while the ring accepts writes, 0 after the kernel failed it. Never blocks. */
PAL_API int32_t pal_ring_is_working(const struct pal_ring *ring);

/* ---- Mappings and memory. Do not block. ---- */

/* Maps `length` bytes read-only and shared; the mapping may reach past the end (on Windows it may not:
 * PAL_NOT_SUPPORTED; the caller maps anew when the file has grown) and outlives the descriptor.
 * The caller unmaps it with the same length. */
PAL_API int32_t pal_map(int32_t fd, int64_t length, void **address, struct pal_error *error);
PAL_API int32_t pal_unmap(void *address, int64_t length, struct pal_error *error);

/* Advice that a mapping is read at random places: a missing page is read alone, without what is around it. One call for
 * the whole mapping, because a system keeps a record of each range that differs from its neighbours, and limits them.
 * Errors are ignored; nothing happens on Windows, which reads little around a missing page. */
PAL_API void pal_read_at_random(void *address, int64_t length);

/* Advice that ranges of a mapping will be read soon: the system begins to read what is missing, and the call does not
 * wait for it. Errors are ignored. Addresses are rounded down to a page. */
PAL_API void pal_will_need(const struct pal_vector *ranges, int32_t count);

/* Advice that all of a range of pal_memory_allocate will be used: the system may map it in large pages. Errors are
 * ignored. */
PAL_API void pal_use_large_pages(void *address, int64_t length);

/* Lets every other thread of the process go first when processors are short; for the calling thread, permanently.
 * Errors are ignored. */
PAL_API void pal_thread_lower_priority(void);

/* Lets the calling thread run soon after it wakes, even when others are in the middle of their time slice; permanently.
 * Its share of the processors does not change. Returns 1 where the system supports it, else 0. */
PAL_API int32_t pal_thread_request_short_slices(void);

/* Threads of this process that have the name (as the system shows it, at most 15 bytes) wait for their turn when they
 * wake instead of interrupting the running thread, permanently. Returns how many there are; 0 where the system does not
 * support it. */
PAL_API int32_t pal_threads_request_batch_scheduling(const char *name);

/* Zeroed, page-aligned memory outside any heap. The caller frees it with the same size. */
PAL_API int32_t pal_memory_allocate(int64_t bytes, void **address, struct pal_error *error);
PAL_API int32_t pal_memory_free(void *address, int64_t bytes, struct pal_error *error);

/* A nameless file in memory that can be mapped; owned like any other file. */
PAL_API int32_t pal_memory_file(int32_t *fd, struct pal_error *error);

/* ---- Names. ---- */

/* Status of the file behind a name; a symbolic link is not followed when `follow` is 0. */
PAL_API int32_t pal_path_status(const char *path, int32_t follow, struct pal_file_status *status,
                                struct pal_error *error);

/* Takes an exclusive lock on a file (created when missing), writes `text` into it and returns the descriptor that holds
 * the lock until it is closed. Does not wait. On PAL_LOCKED the holder's text is in `owner` (terminated). A text that
 * cannot
 * be written (full disk) is left out: the file is empty then. */
PAL_API int32_t pal_lock(const char *path, const char *text, int32_t *fd, char *owner, int32_t owner_size,
                         struct pal_error *error);

PAL_API int32_t pal_link(const char *existing_path, const char *new_path, struct pal_error *error);

/* Renames and syncs both folders, the new one first: a power cut between may leave both names, never none. */
PAL_API int32_t pal_rename_durable(const char *from_path, const char *to_path, struct pal_error *error);

PAL_API int32_t pal_delete(const char *path, struct pal_error *error);

/* Creates a folder with its parents and makes the new names durable. An existing folder is fine. */
PAL_API int32_t pal_directory_create(const char *path, struct pal_error *error);

/* Removes an empty folder. */
PAL_API int32_t pal_directory_remove(const char *path, struct pal_error *error);

/* Reading a folder: open, read until `used` is 0, close. Each read fills the caller's buffer (at least 4096 bytes) with
 * NUL-terminated names without "." and ".."; `used` gets the bytes. One thread per handle. */
PAL_API int32_t pal_directory_open(const char *path, void **directory, struct pal_error *error);
PAL_API int32_t pal_directory_read(void *directory, char *buffer, int32_t size, int32_t *used,
                                   struct pal_error *error);
PAL_API int32_t pal_directory_close(void *directory, struct pal_error *error);

/* Makes name changes in the folders durable (Windows: where the file system offers that). On an error `item` is the
 * index of the folder. */
PAL_API int32_t pal_sync_directories(const char *const *paths, int32_t count, struct pal_error *error);

/* Bytes an ordinary process may still write on the volume of the path. */
PAL_API int32_t pal_free_space(const char *path, int64_t *bytes, struct pal_error *error);

/* ---- For tests only. ---- */

/* Runs the write loop against scripted results instead of a file: each entry is the bytes one system call writes, or
 * -errno. Never touches a disk. `unused` gets the script entries left over. */
PAL_API int32_t pal_test_write_loop(const int64_t *script, int32_t script_length, const struct pal_vector *vectors,
                                    int32_t count, int64_t granularity, int64_t *calls, int32_t *unused,
                                    struct pal_error *error);

/* One call into the kernel, as a script defines it. */
struct pal_ring_step {
    int32_t os_errno;  /* the call fails with it; 0: it succeeds */
    int32_t taken;     /* most requests the kernel takes */
    int32_t completed; /* most completions it makes, newest request first */
    int32_t padding;
};

/* What the kernel does; after the end of a list every call takes and completes everything, in full. A call fails with
 * EPROTO when more is submitted after "busy" before completions were waited for. */
struct pal_ring_script {
    const struct pal_ring_step *steps;
    const int64_t *results; /* bytes of each completion, at most those of its request, or -errno */
    int32_t step_count;
    int32_t result_count;
};

/* What was asked of it. */
struct pal_ring_trace {
    int64_t bytes;         /* in writes that completed; each byte of the batch once */
    int64_t requests_max;  /* with the kernel at once */
    int32_t writes;        /* requests taken */
    int32_t write_backs;
    int32_t unused_steps;
    int32_t unused_results;
};

/* Runs a batch through the ring's code with a script in place of the kernel. Never touches a disk. */
PAL_API int32_t pal_test_ring(const struct pal_ring_script *script, const struct pal_page_write *writes, int32_t count,
                              struct pal_write_counts *counts, struct pal_ring_trace *trace, struct pal_error *error);

/* Sets up a ring where the first `count` tries fail with these errnos; `flags` gets those of the last try. */
PAL_API int32_t pal_test_ring_setup(const int32_t *failures, int32_t count, uint32_t *flags, struct pal_error *error);

#endif
