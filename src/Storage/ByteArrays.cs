using System.Buffers;

namespace Jackdaw.Storage;

/// <summary>Arrays for bodies, documents, rows and answers: from the shared pool up to <see cref="PooledBytesMax"/>, above it alone.</summary>
/// <remarks>The pool keeps what it is given for a minute and longer: a few huge documents would stay as memory of an idle server.</remarks>
public static class ByteArrays
{
    /// <summary>Largest array that is pooled: above the buffers of one batch of a bulk insert, which are used again at once.</summary>
    public const int PooledBytesMax = 16 * 1024 * 1024;

    /// <summary>An array of at least so many bytes; contents are undefined.</summary>
    public static byte[] Rent(int bytes) =>
        bytes <= PooledBytesMax ? ArrayPool<byte>.Shared.Rent(bytes) : GC.AllocateUninitializedArray<byte>(bytes);

    /// <summary>Gives an array of <see cref="Rent"/> back; it may not be used any more.</summary>
    public static void Return(byte[] array)
    {
        if (array.Length <= PooledBytesMax)
        {
            ArrayPool<byte>.Shared.Return(array);
        }
    }
}
