using System.Buffers;

namespace Jackdaw.Storage;

/// <summary>Arrays for bodies, documents, rows and answers: from the shared pool up to <see cref="PooledBytesMax"/>,
/// above that allocated individually.</summary>
/// <remarks>The pool keeps returned arrays for a minute or longer: a few huge documents would remain as memory of an
/// idle server.</remarks>
public static class ByteArrays
{
    /// <summary>Largest array that is pooled: larger than the buffers of one batch of a bulk insert, which are reused
    /// at once.</summary>
    public const int PooledBytesMax = 16 * 1024 * 1024;

    /// <summary>An array with at least this number of bytes. Its contents are undefined.</summary>
    public static byte[] Rent(int bytes) =>
        bytes <= PooledBytesMax ? ArrayPool<byte>.Shared.Rent(bytes) : GC.AllocateUninitializedArray<byte>(bytes);

    /// <summary>Returns an array of <see cref="Rent"/>; it must not be used afterwards.</summary>
    public static void Return(byte[] array)
    {
        if (array.Length <= PooledBytesMax)
        {
            ArrayPool<byte>.Shared.Return(array);
        }
    }
}
