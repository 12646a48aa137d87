using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Jackdaw.Client.Caching;

/// <summary>Finds out whether objects of a type can be shared: nothing in them, at any depth, can be set after they were made.</summary>
/// <remarks>The fields decide, no matter whether they are public: a type without a writable field has no state that can change. The field of a
/// property with init is not writable.</remarks>
internal static class Immutability
{
    private const string Why = "All callers of a RecordCache share its objects, so nothing in them may ever change.";

    private static readonly HashSet<Type> s_values =
    [
        typeof(string), typeof(decimal), typeof(Half), typeof(Int128), typeof(UInt128), typeof(BigInteger), typeof(Guid), typeof(Uri), typeof(Version),
        typeof(DateTime), typeof(DateTimeOffset), typeof(DateOnly), typeof(TimeOnly), typeof(TimeSpan), typeof(JsonElement),
    ];

    /// <exception cref="ArgumentException">Objects of the type can be changed. The message names the member, such as
    /// <c>Order.Lines[].Price</c>.</exception>
    public static void Check(Type type) => Check(type, type.Name, []);

    private static void Check(Type type, string path, HashSet<Type> seen)
    {
        type = Nullable.GetUnderlyingType(type) ?? type;
        if (type.IsPrimitive || type.IsEnum || s_values.Contains(type) || !seen.Add(type))
        {
            return;
        }

        if (type.Namespace is "System.Collections.Immutable" or "System.Collections.Frozen" && !type.IsInterface && type.IsGenericType && !type.IsNested)
        {
            foreach (Type element in type.GetGenericArguments())
            {
                Check(element, path + "[]", seen);
            }

            return;
        }

        if (Refusal(type) is { } reason)
        {
            throw new ArgumentException($"{path} {reason}. {Why}", nameof(type));
        }

        CheckFields(type, path, seen);
        foreach (JsonDerivedTypeAttribute derived in type.GetCustomAttributes<JsonDerivedTypeAttribute>(inherit: false))
        {
            Check(derived.DerivedType, $"{path}({derived.DerivedType.Name})", seen);
        }
    }

    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A field that was trimmed away is neither written nor read by anybody.")]
    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "As above, for base types.")]
    private static void CheckFields(Type type, string path, HashSet<Type> seen)
    {
        for (Type? declaring = type; declaring is not null && declaring != typeof(object) && declaring != typeof(ValueType); declaring = declaring.BaseType)
        {
            const BindingFlags all = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
            foreach (FieldInfo field in declaring.GetFields(all))
            {
                string name = $"{path}.{NameOf(field)}";
                if (!field.IsInitOnly)
                {
                    throw new ArgumentException($"{name} can be set: declare it get-only or init. {Why}", nameof(type));
                }

                Check(field.FieldType, name, seen);
            }
        }
    }

    private static string? Refusal(Type type) => type switch
    {
        { IsArray: true } => "is an array, whose elements can be set: declare an ImmutableArray",
        { IsInterface: true } => $"is the interface {type.Name}, which any type can implement: declare a type of System.Collections.Immutable or a record",
        { IsPointer: true } or { IsByRef: true } => "is a pointer",
        _ when type == typeof(object) => "is an object, which can be anything: declare a type",
        _ when type.IsAssignableTo(typeof(Delegate)) => "is a delegate",
        _ when type.IsAssignableTo(typeof(IDictionary)) => $"is a {type.Name}, which can be changed: declare an ImmutableDictionary or a FrozenDictionary",
        _ when type.IsAssignableTo(typeof(IList)) => $"is a {type.Name}, which can be changed: declare an ImmutableArray or ImmutableList",
        _ when $"{type.Namespace}.".StartsWith("System.", StringComparison.Ordinal) => $"is a {type.Name}, and it is not known whether that never changes",
        _ => null,
    };

    // <Name>k__BackingField: the user has written the property.
    private static string NameOf(FieldInfo field) => field.IsDefined(typeof(CompilerGeneratedAttribute)) && field.Name.StartsWith('<')
        ? field.Name[1..field.Name.IndexOf('>', StringComparison.Ordinal)]
        : field.Name;
}
