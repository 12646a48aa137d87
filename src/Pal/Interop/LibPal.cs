using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
[assembly: DisableRuntimeMarshalling]

namespace Jackdaw.Pal.Interop;

/// <summary>The functions of native/pal.h, one signature each; what they promise is written there.</summary>
internal static unsafe partial class LibPal
{
    static LibPal()
    {
        NativeLibraries.EnsureResolver();
    }

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_abi_version();

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_struct_size(NativeStruct which);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial byte* pal_op_name(int operation);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial void pal_error_text(int osErrno, byte* buffer, int length);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_status_of(int operation, int osErrno);

    [LibraryImport(NativeLibraries.Pal, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int pal_file_open(
        string path, FileOpening opening, FileUse use, out int descriptor, out int direct, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_file_close(int descriptor, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_file_status(
        FileDescriptor file, out NativeFileStatus status, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_file_allocate(FileDescriptor file, long length, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_file_zero_fill(
        FileDescriptor file, long offset, long length, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_file_set_length(FileDescriptor file, long length, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_file_read(
        FileDescriptor file, long offset, byte* destination, long length, out long done, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_journal_write(
        FileDescriptor file, PalVector* vectors, int count, long offset, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_pages_write(
        FileDescriptor file, PageWriteMode mode, nint ring, PalPageWrite* writes, int count,
        out NativeWriteCounts counts, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_ring_open(out nint ring, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial void pal_ring_close(nint ring);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_ring_is_working(nint ring);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_file_sync(FileDescriptor file, SyncKind kind, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_file_punch(FileDescriptor file, long offset, long length, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_file_fill_hole(
        FileDescriptor file, long offset, long length, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_map(FileDescriptor file, long length, out nint address, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_unmap(nint address, long length, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial void pal_read_at_random(byte* address, long length);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial void pal_will_need(PalVector* ranges, int count);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial void pal_use_large_pages(nint address, long length);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial void pal_thread_lower_priority();

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_thread_request_short_slices();

    [LibraryImport(NativeLibraries.Pal, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int pal_threads_request_batch_scheduling(string name);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_memory_allocate(long bytes, out nint address, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_memory_free(nint address, long bytes, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_memory_file(out int descriptor, out NativeError error);

    [LibraryImport(NativeLibraries.Pal, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int pal_path_status(
        string path, int follow, out NativeFileStatus status, out NativeError error);

    [LibraryImport(NativeLibraries.Pal, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int pal_lock(
        string path, string text, out int descriptor, byte* owner, int ownerSize, out NativeError error);

    [LibraryImport(NativeLibraries.Pal, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int pal_link(string existingPath, string newPath, out NativeError error);

    [LibraryImport(NativeLibraries.Pal, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int pal_rename_durable(string fromPath, string toPath, out NativeError error);

    [LibraryImport(NativeLibraries.Pal, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int pal_delete(string path, out NativeError error);

    [LibraryImport(NativeLibraries.Pal, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int pal_directory_create(string path, out NativeError error);

    [LibraryImport(NativeLibraries.Pal, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int pal_directory_remove(string path, out NativeError error);

    [LibraryImport(NativeLibraries.Pal, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int pal_directory_open(string path, out nint directory, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_directory_read(
        nint directory, byte* buffer, int size, out int used, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_directory_close(nint directory, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_sync_directories(byte** paths, int count, out NativeError error);

    [LibraryImport(NativeLibraries.Pal, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int pal_free_space(string path, out long bytes, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_test_write_loop(
        long* script, int scriptLength, PalVector* vectors, int count, long granularity, out long calls,
        out int unused, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_test_ring(
        NativeRingScript* script, PalPageWrite* writes, int count, out NativeWriteCounts counts,
        out NativeRingTrace trace, out NativeError error);

    [LibraryImport(NativeLibraries.Pal)]
    internal static partial int pal_test_ring_setup(int* failures, int count, out uint flags, out NativeError error);
}
