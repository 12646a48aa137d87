using System.Diagnostics.CodeAnalysis;
using System.Reflection;
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

    /// <summary>Whether a type belongs to the runtime, whose types the serializer knows.</summary>
    public static bool IsOfRuntime(Type type) =>
        type.Assembly == typeof(object).Assembly || type.Namespace is "System" || type.Namespace?.StartsWith("System.", StringComparison.Ordinal) == true;
}
