using System.Text.Json;
using System.Text.Json.Serialization;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Serialization;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;
using Jackdaw.Client.Vectors;
using Xunit.Abstractions;

namespace Jackdaw.Client.Tests.Vectors;

/// <summary>Vectors in documents: what is stored, and what is read from each form that a program may have stored.</summary>
public sealed class EmbeddingVectorTests(ITestOutputHelper output)
{
    private static readonly JsonSerializerOptions s_options = new DocumentSerializer(new DocumentConventions()).Options;

    [Fact]
    public void Vector_OfEachType_IsWrittenAndReadBack()
    {
        RoundTrip([0.1f, -2f, float.Epsilon, float.MaxValue], """{"@vector":[0.1,-2,1E-45,3.4028235E+38]}""");
        RoundTrip([0.1, double.MaxValue], """{"@vector":[0.1,1.7976931348623157E+308]}""");
        RoundTrip([(Half)0.5, Half.MaxValue], """{"@vector":[0.5,65504]}""");
        RoundTrip<sbyte>([-128, 0, 127], """{"@vector":[-128,0,127]}""");
        RoundTrip<byte>([0, 255], """{"@vector":[0,255]}""");
        RoundTrip<float>([], """{"@vector":[]}""");
    }

    [Fact]
    public void Vector_FromOtherForms_IsTheSame()
    {
        float[] wanted = [1, -0.5f];
        foreach (string text in new[] { "[1,-0.5]", "[1.0,-5e-1]", " {\"@vector\" : [ 1 , -0.5 ] } ", "\"AACAPwAAAL8=\"", "{\"@vector\":\"AACAPwAAAL8=\"}" })
        {
            Assert.Equal(wanted, JsonSerializer.Deserialize<EmbeddingVector<float>>(text, s_options)!.Embedding);
        }

        Assert.Equal(new sbyte[] { -1, 1 }, JsonSerializer.Deserialize<EmbeddingVector<sbyte>>("\"/wE=\"", s_options)!.Embedding);
        Assert.Equal(new byte[] { 255, 1 }, JsonSerializer.Deserialize<EmbeddingVector<byte>>("[255.0,1]", s_options)!.Embedding);
        Assert.Null(JsonSerializer.Deserialize<EmbeddingVector<float>>("null", s_options));
    }

    [Fact]
    public void Vector_FromWhatIsNone_SaysWhat()
    {
        Refused<float>("[1,null]", "at position 1 is a Null");
        Refused<float>("[1,[2]]", "at position 1 is a StartArray");
        Refused<float>("[1e39]", "at position 0 of a vector, 1E+39, is not a Single");
        Refused<sbyte>("[1,128]", "at position 1 of a vector, 128, is not a SByte");
        Refused<sbyte>("[0.5]", "0.5, is not a SByte");
        Refused<byte>("[-1]", "-1, is not a Byte");
        Refused<float>("\"AACAP\"", "Single numbers in base64");
        Refused<float>("\"AACA\"", "Single numbers in base64");
        Refused<float>("{}", "A vector is");
        Refused<float>("{\"v\":[1]}", "A vector is");
        Refused<float>("{\"@vector\":[1],\"a\":2}", "A vector is");
        Refused<float>("7", "A vector is");
        Assert.Contains("NaN is not", Assert.Throws<JsonException>(
            () => JsonSerializer.Serialize(new EmbeddingVector<float>([float.NaN]), s_options)).Message, StringComparison.Ordinal);
        Assert.Contains("EmbeddingVector of Int64", Assert.Throws<NotSupportedException>(
            () => JsonSerializer.Serialize(new EmbeddingVector<long>([1]), s_options)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Vector_OfManyNumbers_IsReadWithoutLoss()
    {
        int seed = Environment.TickCount;
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        foreach (int length in new[] { 1, 1023, 1024, 1025, 4096, 100_000 })
        {
            float[] wanted = [.. Enumerable.Range(0, length).Select(_ => BitConverter.Int32BitsToSingle(random.Next())).Select(
                one => float.IsFinite(one) ? one : 0)];
            string text = JsonSerializer.Serialize(new EmbeddingVector<float>(wanted), s_options);
            Assert.Equal(wanted, JsonSerializer.Deserialize<EmbeddingVector<float>>(text, s_options)!.Embedding);
        }
    }

    [Fact]
    public async Task Document_WithVectors_ComesBackAndIsUnchanged()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync();
        await KeepsAsync(fixture);
    }

    [Fact]
    public async Task Document_WithVectorsOfAGeneratedContext_ComesBackAndIsUnchanged()
    {
        await using StoreFixture fixture = await StoreFixture.StartAsync(conventions => conventions.TypeInfoResolver = PictureJson.Default);
        await KeepsAsync(fixture);
    }

    private static async Task KeepsAsync(StoreFixture fixture)
    {
        var stored = new Picture
        {
            Id = "pictures/1",
            Plain = [0.1f],
            Vector = new[] { 0.25f, -1f },
            Small = new sbyte[] { -3 },
            Bits = new byte[] { 200 },
            Wide = new[] { 1e-300 },
            Halves = new[] { (Half)2 },
            Many = [new([1, 2]), new([3, 4])],
            Parts = [new Picture.Part { Vector = [9] }],
        };
        using (IAsyncDocumentSession session = fixture.Store.OpenAsyncSession())
        {
            await session.StoreAsync(stored);
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession other = fixture.Store.OpenAsyncSession();
        Picture read = (await other.LoadAsync<Picture>("pictures/1"))!;
        Assert.Equal([0.25f, -1f], read.Vector!.Embedding);
        Assert.Equal([-3], read.Small!.Embedding);
        Assert.Equal([200], read.Bits!.Embedding);
        Assert.Equal([1e-300], read.Wide!.Embedding);
        Assert.Equal([(Half)2], read.Halves!.Embedding);
        Assert.Equal([[1, 2], [3, 4]], read.Many.Select(one => one.Embedding));
        Assert.False(other.Advanced.HasChanges);
        read.Vector.Embedding[0] = 7;
        Assert.True(other.Advanced.HasChanged(read));
        await other.SaveChangesAsync();
        using IAsyncDocumentSession last = fixture.Store.OpenAsyncSession();
        float[] now = (await last.LoadAsync<Picture>("pictures/1"))!.Vector!;
        Assert.Equal([7, -1f], now);
    }

    private static void RoundTrip<T>(T[] numbers, string text) where T : unmanaged, System.Numerics.INumber<T>
    {
        string written = JsonSerializer.Serialize(new EmbeddingVector<T>(numbers), s_options);
        Assert.Equal(text, written);
        Assert.Equal(numbers, JsonSerializer.Deserialize<EmbeddingVector<T>>(written, s_options)!.Embedding);
    }

    private static void Refused<T>(string text, string says) where T : unmanaged, System.Numerics.INumber<T> => Assert.Contains(
        says, Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<EmbeddingVector<T>>(text, s_options)).Message, StringComparison.Ordinal);
}

/// <summary>Metadata of a class with vectors, without reflection.</summary>
[JsonSerializable(typeof(Picture))]
public sealed partial class PictureJson : JsonSerializerContext;
