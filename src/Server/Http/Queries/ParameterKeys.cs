using Jackdaw.Documents.Identity;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Server.Http.Queries;

/// <summary>Decodes and checks ids from a query string, and turns them into keys.</summary>
internal static class ParameterKeys
{
    /// <summary>The most encoded characters (three per byte) that can become an id that is not too long.</summary>
    private const int EncodedCharactersMax = DocumentIds.IdBytesMax * 3;

    /// <summary>Makes the key of one id. Allocates nothing.</summary>
    /// <param name="key">At least <see cref="DocumentIds.KeyBytesMax"/> bytes.</param>
    /// <returns>Bytes of the key; 0 for an empty id.</returns>
    /// <exception cref="RefusedException">The text cannot be an id.</exception>
    public static int Make(in QueryParameter parameter, Span<byte> key)
    {
        DocumentIdFault fault = TryMake(parameter, key, out int length);
        return fault is DocumentIdFault.None or DocumentIdFault.Empty ? length : throw DocumentKey.Refuse(fault);
    }

    /// <summary>Does the same as <see cref="Make(in QueryParameter, Span{byte})"/>, for callers that accept texts that cannot be an id.</summary>
    /// <param name="length">Bytes of the key; 0 when there is a fault.</param>
    public static DocumentIdFault TryMake(in QueryParameter parameter, Span<byte> key, out int length)
    {
        length = 0;
        if (parameter.Value.Length > EncodedCharactersMax)
        {
            return DocumentIdFault.TooLong;
        }

        Span<byte> id = stackalloc byte[PercentDecoder.DecodedBytesMax(EncodedCharactersMax)];
        return DocumentIds.TryMakeKey(id[..PercentDecoder.Decode(parameter.Value, id)], key, out length);
    }

    /// <summary>Id and key for a put; a GUID is made for an absent or empty id.</summary>
    /// <exception cref="RefusedException">The text cannot be an id, or leaves no room for what the server
    /// appends.</exception>
    public static (byte[] Id, byte[] Key) ForPut(in QueryParameter parameter)
    {
        byte[] id = Decode(parameter);
        if (id.Length == 0)
        {
            id = DocumentKey.NewGuid();
            return (id, id);
        }

        byte[] key = DocumentKey.Make(id);
        bool isComplete = DocumentIds.KindOf(id) == DocumentIdKind.Complete;
        return isComplete || DocumentIds.HasRoomForNumber(id.Length)
            ? (id, key)
            : throw DocumentKey.Refuse(DocumentIdFault.TooLong);
    }

    /// <summary>Id and key of an existing or missing document.</summary>
    public static (byte[] Id, byte[] Key) ForDelete(in QueryParameter parameter)
    {
        byte[] id = Decode(parameter);
        return id.Length > 0 ? (id, DocumentKey.Make(id)) : throw DocumentKey.Refuse(DocumentIdFault.Empty);
    }

    private static byte[] Decode(in QueryParameter parameter)
    {
        if (parameter.Value.Length > EncodedCharactersMax)
        {
            throw DocumentKey.Refuse(DocumentIdFault.TooLong);
        }

        Span<byte> id = stackalloc byte[PercentDecoder.DecodedBytesMax(EncodedCharactersMax)];
        return id[..PercentDecoder.Decode(parameter.Value, id)].ToArray();
    }
}
