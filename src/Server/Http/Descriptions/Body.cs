using System.Buffers;
using System.Text;
using System.Text.Json;

namespace Jackdaw.Server.Http.Descriptions;

/// <summary>What the body of a request is.</summary>
/// <param name="Meaning">One sentence for people.</param>
/// <param name="MediaType">The Content-Type that clients send.</param>
/// <param name="Members">The members of a JSON object that count; empty for all other bodies.</param>
/// <param name="Example">A body that the sample data understands.</param>
internal sealed record Body(string Meaning, string MediaType, IReadOnlyList<Input> Members, string Example)
{
    /// <summary>Whether requests without a body are answered too.</summary>
    public bool IsOptional { get; private init; }

    /// <summary>A JSON object whose members are described; the example has all of them that are not refused.</summary>
    public static Body Object(string meaning, params IReadOnlyList<Input> members)
    {
        var example = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(example))
        {
            json.WriteStartObject();
            foreach (Input member in members.Where(member => !member.IsRefused))
            {
                member.WriteExample(json);
            }

            json.WriteEndObject();
        }

        return new Body(meaning, MediaTypes.Json, members, Encoding.UTF8.GetString(example.WrittenSpan));
    }

    /// <summary>JSON that the meaning describes.</summary>
    public static Body Json(string meaning, string example) => new(meaning, MediaTypes.Json, [], example);

    /// <summary>Bytes that the server does not look into.</summary>
    public static Body Bytes(string meaning, string example) => new(meaning, MediaTypes.Bytes, [], example);

    public Body Optional() => this with { IsOptional = true };
}
