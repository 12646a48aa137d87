using System.Buffers.Binary;
using Jackdaw.Documents.Changes;

namespace Jackdaw.DocumentKit;

/// <summary>What the feed tells of a counter besides its name.</summary>
internal static class CounterPayload
{
    public static byte[] Of(long value)
    {
        byte[] payload = new byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(payload, value);
        return payload;
    }

    /// <summary>0 for a change of something else.</summary>
    public static long Read(in Change change) => change.IsOfExtension ? BinaryPrimitives.ReadInt64LittleEndian(change.Payload) : 0;
}
