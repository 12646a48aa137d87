using System.Collections;
using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Jackdaw.Client.Serialization.Classes;

/// <summary>Lets members that are declared as a base class hold objects of its derived classes: the object says its class, and all of its members are
/// stored. Without it the serializer would write those of the base class only.</summary>
/// <remarks>It knows the derived classes of the assembly of the base class. <see cref="JsonDerivedTypeAttribute"/> takes precedence.</remarks>
internal static class DerivedMembers
{
    private static readonly ConcurrentDictionary<Assembly, ILookup<Type, Type>> s_byBase = new();

    /// <summary>Completes a class that has derived classes.</summary>
    public static void Complete(JsonTypeInfo type)
    {
        if (type.PolymorphismOptions is not null || type.Type.IsSealed || type.Type.IsInterface || type.Type.IsValueType)
        {
            return;
        }

        Type[] derived = [.. DerivedOf(type.Type).Where(one => CanSayItsClass(one, type.Options))];
        if (derived.Length == 0)
        {
            return;
        }

        type.PolymorphismOptions = new JsonPolymorphismOptions
        {
            IgnoreUnrecognizedTypeDiscriminators = true,
            UnknownDerivedTypeHandling = JsonUnknownDerivedTypeHandling.FallBackToNearestAncestor,
        };
        foreach (Type one in derived)
        {
            bool isUnique = derived.Count(other => other.Name == one.Name) == 1;
            type.PolymorphismOptions.DerivedTypes.Add(new JsonDerivedType(one, isUnique ? one.Name : one.FullName!));
        }
    }

    /// <summary>Lets objects of a derived class be refused when they are written, because the check of a class does not look at classes that derive from
    /// those of its members: it may have none of them.</summary>
    public static void CheckWhenWritten(JsonTypeInfo type)
    {
        if (type.Type.BaseType is { } above && !ClassContract.IsOfRuntime(above) && !AreDeclared(above))
        {
            var refusal = new Lazy<string?>(() => StorableCheck.Refusal(type.Type, type.Options, isReflecting: true, out _));
            ClassContract.RefuseWhenWritten(type, _ => refusal.Value);
        }
    }

    /// <summary>Whether a type lists its derived types itself.</summary>
    public static bool AreDeclared(Type type) => type.IsDefined(typeof(JsonDerivedTypeAttribute), inherit: false);

    /// <summary>Whether a type says itself that objects of types that it does not list are stored as objects of the base type.</summary>
    public static bool IsFallbackDeclared(Type type) => type.GetCustomAttribute<JsonPolymorphicAttribute>(inherit: false)?.UnknownDerivedTypeHandling
        is JsonUnknownDerivedTypeHandling.FallBackToBaseType or JsonUnknownDerivedTypeHandling.FallBackToNearestAncestor;

    private static IEnumerable<Type> DerivedOf(Type type) => s_byBase.GetOrAdd(type.Assembly, static assembly =>
        TypesOf(assembly).Where(one => one is { IsClass: true, IsAbstract: false, ContainsGenericParameters: false })
            .SelectMany(one => BasesOf(one).Select(above => (Base: above, Derived: one)))
            .ToLookup(pair => pair.Base, pair => pair.Derived))[type];

    private static IEnumerable<Type> BasesOf(Type type)
    {
        for (Type? above = type.BaseType; above is not null && above != typeof(object); above = above.BaseType)
        {
            yield return above;
        }
    }

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "A class that was trimmed away is not the class of an object.")]
    private static IEnumerable<Type> TypesOf(Assembly assembly)
    {
        try
        {
            return assembly.GetTypes();
        }
        catch (ReflectionTypeLoadException incomplete)
        {
            return incomplete.Types.OfType<Type>();
        }
    }

    // Lists and classes with a converter are not written as objects with members.
    private static bool CanSayItsClass(Type type, JsonSerializerOptions options) => !type.IsAssignableTo(typeof(IEnumerable))
        && !type.IsDefined(typeof(JsonConverterAttribute), inherit: false) && !options.Converters.Any(converter => converter.CanConvert(type));
}
