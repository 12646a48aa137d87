using System.Buffers;
using Microsoft.AspNetCore.Connections;

namespace Jackdaw.Server.Http.Limits;

/// <summary>Writing to a connection that may be closed.</summary>
internal static class ConnectionWrites
{
    /// <summary>Copies bytes into a connection's own memory.</summary>
    /// <exception cref="ConnectionResetException">The client disconnected, so that its connection provides no more memory.</exception>
    public static void Append(this IBufferWriter<byte> connection, ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            Span<byte> free = connection.GetSpan();
            if (free.IsEmpty)
            {
                throw new ConnectionResetException("The client closed the connection before it had the answer.");
            }

            int count = Math.Min(free.Length, bytes.Length);
            bytes[..count].CopyTo(free);
            connection.Advance(count);
            bytes = bytes[count..];
        }
    }
}
