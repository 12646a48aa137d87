using System.Text;
using Jackdaw.Storage;

namespace Jackdaw.Documents.Databases;

/// <summary>The record of one database in the system storage.</summary>
/// <param name="Client">The client configuration of the database.</param>
/// <param name="IsBeingDeleted">Its files have to be removed, and then this record. After a crash, the next start finishes this.</param>
internal sealed record SystemRecord(DatabaseRecord Record, ClientConfiguration Client, bool IsBeingDeleted)
{
    private const byte FormatVersion = 1;

    /// <exception cref="CorruptionException">The bytes are not a record, or belong to a newer version.</exception>
    public static SystemRecord Parse(byte[] bytes) => Read(bytes, "A database record", static reader =>
    {
        byte version = reader.ReadByte();
        if (version != FormatVersion)
        {
            throw new CorruptionException($"A database record has format {version}; this version reads {FormatVersion}.");
        }

        bool isBeingDeleted = reader.ReadBoolean();
        var record = new DatabaseRecord(
            reader.ReadString(), reader.ReadInt64(), reader.ReadInt64(), reader.ReadString(), reader.ReadBoolean(),
            ReadBytes(reader));
        return new SystemRecord(record, ReadClient(reader), isBeingDeleted);
    });

    public static byte[] FormatClient(ClientConfiguration client) => Format(writer => Write(writer, client));

    public static ClientConfiguration ParseClient(byte[] bytes) => Read(bytes, "The client configuration", ReadClient);

    public byte[] Format() => Format(writer =>
    {
        writer.Write(FormatVersion);
        writer.Write(IsBeingDeleted);
        writer.Write(Record.Name);
        writer.Write(Record.Etag);
        writer.Write(Record.TopologyEtag);
        writer.Write(Record.DatabaseId);
        writer.Write(Record.IsDisabled);
        WriteBytes(writer, Record.Json);
        Write(writer, Client);
    });

    private static T Read<T>(byte[] bytes, string what, Func<BinaryReader, T> read)
    {
        using var reader = new BinaryReader(new MemoryStream(bytes), Encoding.UTF8);
        try
        {
            return read(reader);
        }
        catch (Exception e) when (e is EndOfStreamException or ArgumentException or FormatException)
        {
            throw new CorruptionException($"{what} of {bytes.Length} bytes is damaged: {e.Message}");
        }
    }

    private static byte[] Format(Action<BinaryWriter> write)
    {
        using var bytes = new MemoryStream();
        using var writer = new BinaryWriter(bytes, Encoding.UTF8);
        write(writer);
        writer.Flush();
        return bytes.ToArray();
    }

    private static void Write(BinaryWriter writer, ClientConfiguration client)
    {
        writer.Write(client.Etag);
        writer.Write(client.IsDisabled);
        WriteBytes(writer, client.Json);
    }

    private static void WriteBytes(BinaryWriter writer, ReadOnlyMemory<byte> bytes)
    {
        writer.Write(bytes.Length);
        writer.Write(bytes.Span);
    }

    private static ClientConfiguration ReadClient(BinaryReader reader) =>
        new(reader.ReadInt64(), reader.ReadBoolean(), ReadBytes(reader));

    private static byte[] ReadBytes(BinaryReader reader)
    {
        int length = reader.ReadInt32();
        byte[] bytes = reader.ReadBytes(length);
        return bytes.Length == length
            ? bytes
            : throw new EndOfStreamException($"It has {bytes.Length} of {length} bytes.");
    }
}
