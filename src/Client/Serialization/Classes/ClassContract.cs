using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Jackdaw.Client.Serialization.Classes;

/// <summary>Completes what the serializer knows about a class, so that each member that it writes is also read: through setters that are not public,
/// through the fields behind properties without a setter, and by constructors that are not public.</summary>
/// <remarks>It works by reflection, and only where the serializer does, too: metadata from a source-generated context stays as it is.</remarks>
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Reflection is the default; an application that is trimmed sets TypeInfoResolver.")]
internal static class ClassContract
{
    /// <summary>Completes a class or a struct.</summary>
    public static void Complete(JsonTypeInfo type)
    {
        if (type.Kind != JsonTypeInfoKind.Object || IsOfRuntime(type.Type))
        {
            return;
        }

        foreach (JsonPropertyInfo property in type.Properties)
        {
            if (property is { Get: not null, Set: null, AttributeProvider: MemberInfo member }
                && property.ObjectCreationHandling != JsonObjectCreationHandling.Populate)
            {
                property.Set = MemberWriter.TryFind(member, property.PropertyType);
            }
        }

        ConstructorChoice.Complete(type);
        DerivedMembers.Complete(type);
        DerivedMembers.CheckWhenWritten(type);
    }

    /// <summary>Lets objects of a type be refused when they are written.</summary>
    /// <param name="refusal">Why an object is refused; null if it is not.</param>
    public static void RefuseWhenWritten(JsonTypeInfo type, Func<object, string?> refusal)
    {
        Action<object>? then = type.OnSerializing;
        type.OnSerializing = value =>
        {
            if (refusal(value) is { } reason)
            {
                throw new NotSupportedException(reason);
            }

            then?.Invoke(value);
        };
    }

    /// <summary>Whether values of a type can be any JSON.</summary>
    public static bool IsAnyJson(Type type) => type == typeof(object) || type == typeof(JsonElement) || type == typeof(JsonDocument)
        || type.IsAssignableTo(typeof(JsonNode));

    /// <summary>Whether a converter is one of System.Text.Json, and not of a program or of this client.</summary>
    public static bool IsOfSerializer(JsonConverter converter) => converter.GetType().Assembly == typeof(JsonSerializer).Assembly;

    /// <summary>Whether a type belongs to the runtime, whose types the serializer knows.</summary>
    public static bool IsOfRuntime(Type type) =>
        type.Assembly == typeof(object).Assembly || type.Namespace is "System" || type.Namespace?.StartsWith("System.", StringComparison.Ordinal) == true;
}
