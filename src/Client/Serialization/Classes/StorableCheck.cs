using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Jackdaw.Client.Serialization.Classes;

/// <summary>Finds out whether documents of a class could be read again, before the first one is stored.</summary>
internal sealed class StorableCheck
{
    private readonly JsonSerializerOptions _options;
    private readonly bool _isReflecting;
    private readonly HashSet<Type> _seen = [];

    private StorableCheck(JsonSerializerOptions options, bool isReflecting) => (_options, _isReflecting) = (options, isReflecting);

    /// <summary>Whether a member is computed from state of the object that may not be stored.</summary>
    private bool IsDoubtful { get; set; }

    /// <summary>Checks a class and the classes of its members.</summary>
    /// <param name="isReflecting">Whether metadata of types comes from reflection, and not from a source-generated context.</param>
    /// <param name="isDoubtful">Whether it depends on the single object, so that each has to be compared with what is read back.</param>
    /// <returns>Why the class is refused, with the member and what to do; null if it can be stored.</returns>
    public static string? Refusal(Type type, JsonSerializerOptions options, bool isReflecting, out bool isDoubtful)
    {
        var check = new StorableCheck(options, isReflecting);
        string? refusal = check.OfType(type, type.Name);
        isDoubtful = check.IsDoubtful;
        return refusal;
    }

    private string? OfType(Type type, string path)
    {
        type = Nullable.GetUnderlyingType(type) ?? type;
        if (type == typeof(object) || !_seen.Add(type))
        {
            return null;
        }

        JsonTypeInfo info;
        try
        {
            info = _options.GetTypeInfo(type);
        }
        catch (Exception unknown) when (unknown is NotSupportedException or InvalidOperationException)
        {
            return path.Contains('.', StringComparison.Ordinal) ? ClassRefusals.Unknown(path, unknown.Message) : null;
        }

        return info.Kind switch
        {
            JsonTypeInfoKind.Object => OfObject(info, path),
            JsonTypeInfoKind.Enumerable or JsonTypeInfoKind.Dictionary => OfCollection(info, path),
            _ => null,
        };
    }

    private string? OfObject(JsonTypeInfo info, string path)
    {
        if (info.PolymorphismOptions is { DerivedTypes: { Count: > 0 } derived })
        {
            string? wrong = !DerivedMembers.AreDeclared(info.Type) ? null : derived.Select(one => one.DerivedType).Where(one => one != info.Type)
                .Select(one => OfType(one, $"{path}({one.Name})")).FirstOrDefault(one => one is not null);
            if (wrong is not null || info.Type.IsAbstract)
            {
                return wrong;
            }
        }

        if (info.Type.IsAbstract)
        {
            return ClassRefusals.Abstract(path, info.Type.Name, info.Type.IsInterface);
        }

        if (!CanBeMade(info))
        {
            return ClassRefusals.Constructor(path, info.Type.Name);
        }

        return OfMembers(info, path);
    }

    // A parameter that is not a member gets no value.
    private static bool CanBeMade(JsonTypeInfo info)
    {
        int bound = info.Properties.Count(property => property.AssociatedParameter is not null);
        return info.CreateObject is not null
            || (info.ConstructorAttributeProvider is ConstructorInfo constructor ? constructor.GetParameters().Length == bound : bound > 0);
    }

    private string? OfMembers(JsonTypeInfo info, string path)
    {
        foreach (JsonPropertyInfo property in info.Properties)
        {
            if (property.Get is null || property.IsExtensionData)
            {
                continue;
            }

            bool isRead = property.Set is not null || property.AssociatedParameter is not null;
            IsDoubtful |= !isRead && !ClassContract.IsOfRuntime(info.Type) && (!_isReflecting || IsOfHiddenState(info, property));
            string name = (property.AttributeProvider as MemberInfo)?.Name ?? property.Name;
            if (isRead && property.CustomConverter is null && OfType(property.PropertyType, $"{path}.{name}") is { } refusal)
            {
                return refusal;
            }
        }

        return null;
    }

    private string? OfCollection(JsonTypeInfo info, string path)
    {
        try
        {
            JsonSerializer.Deserialize(info.Kind == JsonTypeInfoKind.Dictionary ? "{}"u8 : "[]"u8, info);
        }
        catch (NotSupportedException)
        {
            return ClassRefusals.Collection(path, info.Type.Name);
        }

        return info.ElementType is { } element ? OfType(element, path + "[]") : null;
    }

    // Fields that no stored member gives back, and methods, which may read such fields.
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Without reflection the getter's code is not there, and nothing is found.")]
    private static bool IsOfHiddenState(JsonTypeInfo info, JsonPropertyInfo property)
    {
        if (property.AttributeProvider is not PropertyInfo { DeclaringType: { } declaring } computed || GetterCode.Of(computed) is not { } code)
        {
            return false;
        }

        HashSet<FieldInfo> known =
        [
            .. info.Properties.Where(one => one.Set is not null || one.AssociatedParameter is not null)
                .Select(one => one.AttributeProvider switch
                {
                    FieldInfo field => field,
                    PropertyInfo read => MemberWriter.FieldOf(read, one.PropertyType),
                    _ => null,
                }).OfType<FieldInfo>(),
        ];
        bool callsOwn = code.Calls.Any(call => !call.IsStatic && call.DeclaringType == declaring && !call.IsSpecialName);
        return callsOwn || code.Fields.Any(field => field.DeclaringType == declaring && !known.Contains(field));
    }
}
