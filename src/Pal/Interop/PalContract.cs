using System.Text;

namespace Jackdaw.Pal.Interop;

/// <summary>The checks of arguments that all implementations share; pure.</summary>
internal static unsafe class PalContract
{
    private static readonly UTF8Encoding s_strictUtf8 = new(false, throwOnInvalidBytes: true);

    /// <summary>Refuses a path that the system would cut or change: empty, with NUL, or not expressible in
    /// UTF-8.</summary>
    internal static void CheckPath(string path, string operation)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (path.Length == 0 || path.Contains('\0', StringComparison.Ordinal))
        {
            throw PalFailure.Refuse(operation, path.Replace("\0", "\\0", StringComparison.Ordinal),
                path.Length == 0 ? "the path is empty" : "the path holds a NUL character");
        }

        try
        {
            s_strictUtf8.GetByteCount(path);
        }
        catch (EncoderFallbackException)
        {
            throw PalFailure.Refuse(operation, path, "the path is not valid Unicode");
        }
    }

    internal static void CheckAligned(string operation, string path, long offset, long length)
    {
        if (offset < 0 || length < 0 || offset % PalLimits.Alignment != 0 || length % PalLimits.Alignment != 0)
        {
            throw PalFailure.Refuse(operation, path, "offset and length must be multiples of 4096", offset, length);
        }
    }

    internal static void CheckRead(FileUse use, string path, long offset, byte* destination, long length)
    {
        if (offset < 0 || length < 0)
        {
            throw PalFailure.Refuse("read", path, "offset and length must not be negative", offset, length);
        }

        if (use == FileUse.Journal)
        {
            CheckAligned("read", path, offset, length);
            if ((nuint)destination % PalLimits.Alignment != 0)
            {
                throw PalFailure.Refuse("read", path, "memory must be aligned to 4096 bytes", offset, length);
            }
        }
    }

    internal static void CheckJournalWrite(FileUse use, string path, ReadOnlySpan<PalVector> vectors, long offset)
    {
        if (use != FileUse.Journal)
        {
            throw PalFailure.Refuse("write", path, "only a file opened as journal takes durable writes", offset);
        }

        if (vectors.Length is 0 or > PalLimits.VectorsMax || offset < 0 || offset % PalLimits.Alignment != 0)
        {
            throw PalFailure.Refuse("write", path, "a durable write has 1 to 1024 vectors and an aligned offset",
                offset);
        }

        foreach (PalVector vector in vectors)
        {
            if (vector.Length <= 0 || vector.Length % PalLimits.Alignment != 0
                || (nuint)vector.Base % PalLimits.Alignment != 0)
            {
                throw PalFailure.Refuse("write", path, "memory and lengths must be multiples of 4096", offset,
                    vector.Length);
            }
        }
    }

    internal static void CheckPageWrites(FileUse use, string path, ReadOnlySpan<PalPageWrite> writes)
    {
        if (use != FileUse.Data)
        {
            throw PalFailure.Refuse("write", path, "only a file opened for data takes page writes");
        }

        long end = 0;
        foreach (PalPageWrite write in writes)
        {
            if (write.Length <= 0 || write.Offset < end || write.Offset > long.MaxValue - write.Length)
            {
                throw PalFailure.Refuse("write", path, "page writes must be sorted and must not overlap", write.Offset,
                    write.Length);
            }

            end = write.Offset + write.Length;
        }
    }

    internal static void CheckWritable(FileUse use, string path, string operation)
    {
        if (use == FileUse.ReadOnly)
        {
            throw PalFailure.Refuse(operation, path, "the file was opened read-only");
        }
    }

    internal static void CheckMap(FileUse use, string path, long reserveBytes)
    {
        if (use == FileUse.Journal)
        {
            // A view through the page cache would not see what unbuffered writes changed.
            throw PalFailure.Refuse("map", path, "a file opened as journal cannot be mapped; open it read-only");
        }

        if (reserveBytes <= 0)
        {
            throw PalFailure.Refuse("map", path, "the reserve must be positive", 0, reserveBytes);
        }
    }
}
