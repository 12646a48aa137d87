using System.Text;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Tests.Changes;

public sealed class ChangeFormatTests
{
    [Theory]
    [InlineData(ChangeKind.DocumentPut, false, "", 0)]
    [InlineData(ChangeKind.DocumentDelete, true, "", 0)]
    [InlineData(ChangeKind.CompareExchangePut, false, "", 0)]
    [InlineData(ChangeKind.ExtensionPut, false, "likes", 5)]
    [InlineData(ChangeKind.ExtensionChange, false, "\u00e4", long.MinValue)]
    [InlineData(ChangeKind.ExtensionDelete, true, "x", 0)]
    public void Read_AfterWrite_GivesEachChangeBack(ChangeKind kind, bool isArtificial, string counter, long value)
    {
        var change = new Change
        {
            Kind = kind,
            Id = "users/1"u8,
            Collection = "Users"u8,
            Etag = new Etag(77),
            ChangeVector = "A:1-x"u8,
            IsArtificial = isArtificial,
            Extension = 5,
            Name = Encoding.UTF8.GetBytes(counter),
            Payload = CounterPayload.Of(value),
        };
        int length = ChangeFormat.Measure(change);
        byte[] two = new byte[length * 2];
        ChangeFormat.Write(change, two);
        ChangeFormat.Write(change, two.AsSpan(length));

        Check(two, kind, isArtificial, counter, value, length);
        Check(two.AsSpan(length), kind, isArtificial, counter, value, length);
    }

    private static void Check(ReadOnlySpan<byte> bytes, ChangeKind kind, bool isArtificial, string counter, long value, int length)
    {
        Change read = ChangeFormat.Read(bytes, out int taken);
        Assert.Equal(length, taken);
        Assert.Equal((kind, isArtificial, 77, value), (read.Kind, read.IsArtificial, read.Etag.Value, CounterPayload.Read(read)));
        Assert.Equal(
            ("users/1", "Users", "A:1-x", counter),
            (Text(read.Id), Text(read.Collection), Text(read.ChangeVector), Text(read.Name)));
    }

    private static string Text(ReadOnlySpan<byte> bytes) => Encoding.UTF8.GetString(bytes);
}
