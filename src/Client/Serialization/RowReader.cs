using System.Buffers;
using System.Collections.Concurrent;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Jackdaw.Client.Serialization;

/// <summary>Converts rows of projections to objects.</summary>
/// <remarks>
/// A projection contains each field that it asks for, with null where a document does not have it. A whole document would lack the field, and the
/// member would keep the default of its type. So here, too, a member that cannot be null keeps its default. Required members and elements of lists
/// get no default: null is an error of the serializer, which names the path.
/// </remarks>
internal sealed class RowReader(JsonSerializerOptions options)
{
    private readonly ConcurrentDictionary<Type, TypeLayout> _layouts = new();

    /// <exception cref="JsonException">The row is not of this type; the message names the path.</exception>
    public T Read<T>(JsonElement row)
    {
        var info = (JsonTypeInfo<T>)options.GetTypeInfo(typeof(T));
        if (!HasNullToLeaveOut(typeof(T), row))
        {
            return row.Deserialize(info)!;
        }

        var text = new ArrayBufferWriter<byte>(256);
        using (var json = new Utf8JsonWriter(text))
        {
            WriteWithoutNulls(json, typeof(T), row);
        }

        return JsonSerializer.Deserialize(text.WrittenSpan, info)!;
    }

    private bool HasNullToLeaveOut(Type type, JsonElement value)
    {
        switch (value.ValueKind)
        {
            case JsonValueKind.Object when LayoutOf(type) is { IsEmpty: false } layout:
                foreach (JsonProperty member in value.EnumerateObject())
                {
                    if (layout.Find(AnswerJson.NameOf(member)) is { } found && (IsLeftOut(found, member.Value) || HasNullToLeaveOut(found.Type, member.Value)))
                    {
                        return true;
                    }
                }

                return false;
            case JsonValueKind.Array when LayoutOf(type).Element is { } element:
                return value.EnumerateArray().Any(one => HasNullToLeaveOut(element, one));
            default:
                return false;
        }
    }

    private void WriteWithoutNulls(Utf8JsonWriter json, Type type, JsonElement value)
    {
        TypeLayout? layout = value.ValueKind is JsonValueKind.Object or JsonValueKind.Array ? LayoutOf(type) : null;
        if (value.ValueKind == JsonValueKind.Object && !layout!.IsEmpty)
        {
            json.WriteStartObject();
            foreach (JsonProperty member in value.EnumerateObject())
            {
                Member? found = layout.Find(AnswerJson.NameOf(member));
                if (found is null || !IsLeftOut(found, member.Value))
                {
                    json.WritePropertyName(AnswerJson.NameOf(member));
                    WriteWithoutNulls(json, found?.Type ?? typeof(object), member.Value);
                }
            }

            json.WriteEndObject();
        }
        else if (value.ValueKind == JsonValueKind.Array && layout!.Element is { } element)
        {
            json.WriteStartArray();
            foreach (JsonElement one in value.EnumerateArray())
            {
                WriteWithoutNulls(json, element, one);
            }

            json.WriteEndArray();
        }
        else
        {
            value.WriteTo(json);
        }
    }

    private static bool IsLeftOut(Member member, JsonElement value) => member.CannotBeNull && value.ValueKind == JsonValueKind.Null;

    private TypeLayout LayoutOf(Type type) => _layouts.GetOrAdd(type, static (type, self) => self.MakeLayout(type), this);

    private TypeLayout MakeLayout(Type type)
    {
        JsonTypeInfo info = options.GetTypeInfo(type);
        if (info.Kind is not JsonTypeInfoKind.Object)
        {
            return new TypeLayout([], info.ElementType, IsMap: info.Kind == JsonTypeInfoKind.Dictionary);
        }

        var members = new Dictionary<string, Member>(options.PropertyNameCaseInsensitive ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal);
        foreach (JsonPropertyInfo property in info.Properties)
        {
            members[property.Name] = new Member(property.PropertyType, CannotBeNull(property));
        }

        return new TypeLayout(members, null, IsMap: false);
    }

    // A converter of users decides itself what null means.
    private bool CannotBeNull(JsonPropertyInfo property) =>
        property.PropertyType.IsValueType && Nullable.GetUnderlyingType(property.PropertyType) is null && !property.IsRequired
            && (property.CustomConverter ?? options.GetTypeInfo(property.PropertyType).Converter).GetType().Assembly == typeof(JsonSerializer).Assembly;

    private sealed record Member(Type Type, bool CannotBeNull);

    /// <summary>A type that can have members that cannot be null.</summary>
    /// <param name="Element">Type of the elements of lists and maps; null if it is neither.</param>
    private sealed record TypeLayout(Dictionary<string, Member> Members, Type? Element, bool IsMap)
    {
        private readonly Member? _ofMap = IsMap && Element is not null ? new Member(Element, CannotBeNull: false) : null;

        public bool IsEmpty => Members.Count == 0 && _ofMap is null;

        public Member? Find(string name) => _ofMap ?? Members.GetValueOrDefault(name);
    }
}
