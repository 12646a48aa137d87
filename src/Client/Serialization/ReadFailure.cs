using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Jackdaw.Client.Serialization;

/// <summary>Says why a document cannot be read as its class: which document, which class, and where in it.</summary>
internal static class ReadFailure
{
    /// <summary>The error of a read.</summary>
    /// <param name="failure">What the serializer, or code of the class, has thrown.</param>
    public static JsonException Of(string id, JsonTypeInfo type, ReadOnlySpan<byte> text, Exception failure)
    {
        JsonElement document = AnswerJson.ParseWhole(text); // nobody has read all of it yet
        if (failure is JsonException wrong)
        {
            return new JsonException(
                $"The document '{id}' cannot be read as {type.Type.Name}. {wrong.Message}",
                wrong.Path ?? "$", wrong.LineNumber, wrong.BytePositionInLine, wrong);
        }

        (string path, Type at) = PlaceOf(document, type, "$", failure.GetType());
        string made = at == type.Type ? "" : $", in {at.Name}";
        return new JsonException(
            $"The document '{id}' cannot be read as {type.Type.Name}. {failure.GetType().Name}: {failure.Message} Path: {path}{made}.",
            path, null, null, failure);
    }

    // The serializer knows the place of its own errors only. The innermost part that fails in the same way is the place.
    private static (string Path, Type Type) PlaceOf(JsonElement value, JsonTypeInfo type, string path, Type failure)
    {
        foreach ((JsonElement part, Type partType, string partPath) in PartsOf(value, type, path))
        {
            JsonTypeInfo inner;
            try
            {
                inner = type.Options.GetTypeInfo(partType);
            }
            catch (NotSupportedException)
            {
                return (partPath, partType);
            }

            if (Fails(part, inner, failure))
            {
                return PlaceOf(part, inner, partPath, failure);
            }
        }

        return (path, type.Type);
    }

    private static IEnumerable<(JsonElement Part, Type Type, string Path)> PartsOf(JsonElement value, JsonTypeInfo type, string path)
    {
        if (value.ValueKind == JsonValueKind.Object && type.Kind == JsonTypeInfoKind.Object)
        {
            foreach (JsonPropertyInfo property in type.Properties)
            {
                if (value.TryGetProperty(property.Name, out JsonElement member) && property.CustomConverter is null && property.Get is not null)
                {
                    yield return (member, property.PropertyType, $"{path}.{property.Name}");
                }
            }
        }
        else if (value.ValueKind == JsonValueKind.Object && type.ElementType is { } ofMap)
        {
            foreach (JsonProperty member in value.EnumerateObject())
            {
                yield return (member.Value, ofMap, $"{path}.{member.Name}");
            }
        }
        else if (value.ValueKind == JsonValueKind.Array && type.ElementType is { } ofList)
        {
            int i = 0;
            foreach (JsonElement element in value.EnumerateArray())
            {
                yield return (element, ofList, $"{path}[{i++}]");
            }
        }
    }

    [SuppressMessage("Design", "CA1031", Justification = "Code of users may throw anything.")]
    private static bool Fails(JsonElement value, JsonTypeInfo type, Type failure)
    {
        try
        {
            value.Deserialize(type);
            return false;
        }
        catch (Exception again)
        {
            return again.GetType() == failure;
        }
    }
}
