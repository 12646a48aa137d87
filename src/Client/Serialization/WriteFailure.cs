using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Jackdaw.Client.Serialization;

/// <summary>Says which object could not be written, and which part of it.</summary>
internal static class WriteFailure
{
    /// <summary>Objects that contain themselves end here.</summary>
    private const int DepthMax = 64;

    /// <summary>The exception for an object that is not written.</summary>
    /// <param name="id">Id of its document; null if it has none yet.</param>
    public static JsonException Of(object entity, JsonTypeInfo type, string? id, Exception failure)
    {
        // The serializer's own exceptions name the path.
        string path = failure is JsonException or NotSupportedException ? "" : $" Path: {PlaceOf(entity, type, "$", failure.GetType(), 0)}.";
        return new JsonException(
            $"The {type.Type.Name} with the id '{id}' cannot be written as a document. {failure.GetType().Name}: {failure.Message}{path}", failure);
    }

    private static string PlaceOf(object value, JsonTypeInfo type, string path, Type failure, int depth)
    {
        try
        {
            foreach ((Func<object?> read, Type partType, string partPath) in PartsOf(value, type, path))
            {
                if (depth < DepthMax && Fails(read, type.Options, partType, failure, out object? part, out JsonTypeInfo? inner))
                {
                    return part is null || inner is null ? partPath : PlaceOf(part, inner, partPath, failure, depth + 1);
                }
            }
        }
        catch (Exception cannot) when (cannot.GetType() == failure)
        {
            return path; // It does not even give its elements.
        }

        return path;
    }

    private static IEnumerable<(Func<object?> Read, Type Type, string Path)> PartsOf(object value, JsonTypeInfo type, string path)
    {
        if (type.Kind == JsonTypeInfoKind.Object)
        {
            foreach (JsonPropertyInfo property in type.Properties.Where(one => one is { Get: not null, CustomConverter: null, IsExtensionData: false }))
            {
                yield return (() => property.Get!(value), property.PropertyType, $"{path}.{property.Name}");
            }
        }
        else if (type is { Kind: JsonTypeInfoKind.Dictionary, ElementType: { } ofMap } && value is IDictionary map)
        {
            foreach (DictionaryEntry entry in map)
            {
                yield return (() => entry.Value, ofMap, $"{path}.{entry.Key}");
            }
        }
        else if (type is { Kind: JsonTypeInfoKind.Enumerable, ElementType: { } ofList } && value is ICollection list)
        {
            int i = 0;
            foreach (object? element in list)
            {
                yield return (() => element, ofList, $"{path}[{i++}]");
            }
        }
    }

    [SuppressMessage("Design", "CA1031", Justification = "Code of users may throw anything.")]
    private static bool Fails(Func<object?> read, JsonSerializerOptions options, Type type, Type failure, out object? part, out JsonTypeInfo? info)
    {
        (part, info) = (null, null);
        try
        {
            part = read();
            info = options.GetTypeInfo(type);
            JsonSerializer.SerializeToUtf8Bytes(part, info);
            return false;
        }
        catch (Exception again)
        {
            return again.GetType() == failure;
        }
    }
}
