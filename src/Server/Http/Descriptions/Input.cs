using System.Text.Json;

namespace Jackdaw.Server.Http.Descriptions;

/// <summary>One value that a request brings: a query parameter, or a member of its body.</summary>
/// <param name="Name">The name, which is compared without regard to case.</param>
/// <param name="Kind">What its text must be.</param>
/// <param name="Meaning">One sentence for people.</param>
/// <param name="Example">A value that the sample data understands; JSON where the kind is not a text.</param>
internal sealed record Input(string Name, InputKind Kind, string Meaning, string Example)
{
    /// <summary>Whether a request without it is refused.</summary>
    public bool IsRequired { get; private init; }

    /// <summary>Whether it may be sent several times; in a body it is an array.</summary>
    public bool IsRepeated { get; private init; }

    /// <summary>Whether official clients send it and this version refuses it, instead of ignoring it.</summary>
    public bool IsRefused { get; private init; }

    /// <summary>What holds without it; null where nothing does.</summary>
    public string? Default { get; private init; }

    /// <summary>The only values that it can have; empty where there are too many to list.</summary>
    public IReadOnlyList<string> Values { get; private init; } = [];

    /// <summary>Other parameters without which it means nothing.</summary>
    public IReadOnlyList<Input> Others { get; private init; } = [];

    /// <summary>The meaning, and without which other parameters it means nothing.</summary>
    public string FullMeaning => Others.Count == 0 ? Meaning : $"{Meaning} Only with {string.Join(" and ", Others.Select(other => other.Name))}.";

    public static Input Text(string name, string meaning, string example) => new(name, InputKind.Text, meaning, example);

    public static Input Count(string name, string meaning, string example) => new(name, InputKind.Count, meaning, example);

    public static Input Flag(string name, string meaning) => new(name, InputKind.Flag, meaning, "true") { Default = "false" };

    public static Input Time(string name, string meaning) => new(name, InputKind.Time, meaning, "2026-01-31T10:00:00Z");

    public static Input Span(string name, string meaning, string example = "00:00:15") => new(name, InputKind.Span, meaning, example);

    public static Input Json(string name, string meaning, string example) => new(name, InputKind.Json, meaning, example);

    /// <summary>A text that can have some values only; the first one is the example.</summary>
    public static Input OneOf(string name, string meaning, params string[] values) => new(name, InputKind.Text, meaning, values[0]) { Values = values };

    /// <summary>A parameter of official clients for something that this version does not have.</summary>
    /// <param name="feature">Subject and verb, such as "Time series are".</param>
    public static Input Later(string name, string feature, string example) =>
        new(name, InputKind.Text, $"{feature} not supported yet, so a request with it is refused.", example) { IsRefused = true };

    public Input Required() => this with { IsRequired = true };

    public Input Repeated() => this with { IsRepeated = true };

    public Input Or(string value) => this with { Default = value };

    /// <summary>Replaces the example.</summary>
    public Input Like(string example) => this with { Example = example };

    /// <summary>Says that a request with it is refused.</summary>
    public Input Refused() => this with { IsRefused = true };

    public Input With(params IReadOnlyList<Input> others) => this with { Others = others };

    /// <summary>Writes an example as the member of a body.</summary>
    public void WriteExample(Utf8JsonWriter json)
    {
        json.WritePropertyName(Name);
        if (IsRepeated)
        {
            json.WriteStartArray();
        }

        WriteValue(json, Example);
        if (IsRepeated)
        {
            json.WriteEndArray();
        }
    }

    /// <summary>Writes a value as JSON of its kind.</summary>
    public void WriteValue(Utf8JsonWriter json, string value)
    {
        if (Kind is InputKind.Count or InputKind.Flag or InputKind.Json)
        {
            json.WriteRawValue(value);
        }
        else
        {
            json.WriteStringValue(value);
        }
    }
}
