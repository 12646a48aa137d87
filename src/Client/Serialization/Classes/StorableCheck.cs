using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Jackdaw.Client.Serialization.Classes;

/// <summary>Finds out whether documents of a class could be read again, before the first one is stored.</summary>
internal sealed class StorableCheck
{
    private readonly JsonSerializerOptions _options;
    private readonly bool _isReflecting;
    private readonly HashSet<Type> _seen;

    private StorableCheck(JsonSerializerOptions options, bool isReflecting, IEnumerable<Type> seen) =>
        (_options, _isReflecting, _seen) = (options, isReflecting, [.. seen]);

    /// <summary>Whether a member is computed from state of the object that may not be stored.</summary>
    private bool IsDoubtful { get; set; }

    /// <summary>Checks a class and the classes of its members.</summary>
    /// <param name="isReflecting">Whether metadata of types comes from reflection, and not from a source-generated context.</param>
    /// <param name="isDoubtful">Whether it depends on the single object, so that each has to be compared with what is read back.</param>
    /// <returns>Why the class is refused, with the member and what to do; null if it can be stored.</returns>
    public static string? Refusal(Type type, JsonSerializerOptions options, bool isReflecting, out bool isDoubtful)
    {
        var check = new StorableCheck(options, isReflecting, []);
        string? refusal = OfDocument(options.GetTypeInfo(type)) ?? check.OfType(type, type.Name);
        isDoubtful = check.IsDoubtful;
        return refusal;
    }

    private static string? OfDocument(JsonTypeInfo info) => info.Kind switch
    {
        JsonTypeInfoKind.Enumerable => ClassRefusals.NoObject(info.Type.Name),
        JsonTypeInfoKind.None when ClassContract.IsOfSerializer(info.Converter) && !ClassContract.IsAnyJson(info.Type) =>
            ClassRefusals.NoObject(info.Type.Name),
        JsonTypeInfoKind.Object => info.Properties.FirstOrDefault(property => property is { Name: "@metadata", IsExtensionData: false }) is { } metadata
            ? ClassRefusals.Metadata($"{info.Type.Name}.{NameOf(metadata)}") : null,
        _ => null,
    };

    private static string NameOf(JsonPropertyInfo property) => (property.AttributeProvider as MemberInfo)?.Name ?? property.Name;

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
            _ when info.Converter is ICollectionConverter collection => OfConverted(info, collection, path),
            _ when ClassContract.IsOfSerializer(info.Converter) && Failure(info, "0"u8) is NotSupportedException unknown =>
                ClassRefusals.Unknown(path, unknown.Message),
            _ => null,
        };
    }

    private string? OfObject(JsonTypeInfo info, string path)
    {
        if (info.PolymorphismOptions is { DerivedTypes: { Count: > 0 } derived })
        {
            bool isDeclared = DerivedMembers.AreDeclared(info.Type);
            IsDoubtful |= !isDeclared && derived.Any(one => IsDoubtfulClass(one.DerivedType));
            string? wrong = !isDeclared ? null : derived.Select(one => one.DerivedType).Where(one => one != info.Type)
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

        if (ClassContract.IsOfRuntime(info.Type) && info.Properties.Any(property => property.Get is not null) && !info.Properties.Any(IsRead))
        {
            return ClassRefusals.Closed(path, info.Type.Name);
        }

        return OfMembers(info, path);
    }

    // Objects of a class that was found, and not declared, are refused when they are written.
    private bool IsDoubtfulClass(Type found)
    {
        var check = new StorableCheck(_options, _isReflecting, _seen);
        check.OfType(found, found.Name);
        return check.IsDoubtful;
    }

    private static bool IsRead(JsonPropertyInfo property) => property.Set is not null || property.AssociatedParameter is not null;

    // A parameter that is not a member gets no value.
    private static bool CanBeMade(JsonTypeInfo info)
    {
        string[] bound = [.. info.Properties.Select(property => property.AssociatedParameter?.Name).OfType<string>()];
        return info.CreateObject is not null || (info.ConstructorAttributeProvider is ConstructorInfo constructor
            ? constructor.GetParameters().All(parameter => bound.Contains(parameter.Name, StringComparer.Ordinal)) : bound.Length > 0);
    }

    private string? OfMembers(JsonTypeInfo info, string path)
    {
        foreach (JsonPropertyInfo property in info.Properties)
        {
            if (property.Get is null || property.IsExtensionData)
            {
                continue;
            }

            IsDoubtful |= IsRead(property) ? property.ShouldSerialize is not null && !BeginsEmpty(info, property)
                : !_isReflecting || IsOfHiddenState(info, property);
            if (IsRead(property) && property.CustomConverter is null && OfType(property.PropertyType, $"{path}.{NameOf(property)}") is { } refusal)
            {
                return refusal;
            }
        }

        return null;
    }

    // Then a load gives back the empty value that was not written.
    [SuppressMessage("Design", "CA1031", Justification = "Constructors of users may throw anything.")]
    private static bool BeginsEmpty(JsonTypeInfo info, JsonPropertyInfo property)
    {
        try
        {
            return LateConstruction.IsUsed(info) ? false
                : property.AssociatedParameter is { } parameter ? !property.ShouldSerialize!(info, parameter.DefaultValue)
                : info.CreateObject?.Invoke() is { } made && !property.ShouldSerialize!(made, property.Get!(made));
        }
        catch (Exception)
        {
            return false;
        }
    }

    private string? OfConverted(JsonTypeInfo info, ICollectionConverter collection, string path)
    {
        bool isMap = collection.Elements.IsAssignableTo(typeof(IDictionary));
        return Failure(info, isMap ? "{}"u8 : "[]"u8) is not null ? ClassRefusals.Collection(path, info.Type.Name)
            : MemberBesideElements(info.Type) is { } other ? ClassRefusals.BesideElements(path, info.Type.Name, other)
            : OfType(collection.Elements, path);
    }

    private string? OfCollection(JsonTypeInfo info, string path)
    {
        bool isMap = info.Kind == JsonTypeInfoKind.Dictionary;
        Exception? failure = Failure(info, isMap ? "{}"u8 : info.ElementType == typeof(object) ? "[\"\"]"u8 : "[]"u8);
        if (failure is NotSupportedException or InvalidCastException || CollectionFilling.IsStack(info.Type))
        {
            return ClassRefusals.Collection(path, info.Type.Name);
        }

        if (isMap && Failure(info, "{\"0\":null}"u8) is NotSupportedException)
        {
            return ClassRefusals.Key(path, info.KeyType!.Name);
        }

        return MemberBesideElements(info.Type) is { } other ? ClassRefusals.BesideElements(path, info.Type.Name, other)
            : info.ElementType is { } element ? OfType(element, path + "[]") : null;
    }

    [SuppressMessage("Design", "CA1031", Justification = "Code of users may throw anything.")]
    private static Exception? Failure(JsonTypeInfo info, ReadOnlySpan<byte> text)
    {
        try
        {
            JsonSerializer.Deserialize(text, info);
            return null;
        }
        catch (Exception failure)
        {
            return failure;
        }
    }

    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A property that was trimmed away has no value that could get lost.")]
    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "A property that was trimmed away has no value that could get lost.")]
    private static string? MemberBesideElements(Type type)
    {
        for (Type? declaring = type; declaring is not null && !ClassContract.IsOfRuntime(declaring); declaring = declaring.BaseType)
        {
            const BindingFlags own = BindingFlags.Instance | BindingFlags.Public | BindingFlags.DeclaredOnly;
            IEnumerable<MemberInfo> members = declaring.GetProperties(own)
                .Where(property => property.CanRead && property.GetIndexParameters().Length == 0 && (property.CanWrite || IsOfConstructor(property)));
            if (members.Concat(declaring.GetFields(own)).FirstOrDefault(member => !member.IsDefined(typeof(JsonIgnoreAttribute), inherit: true)) is { } found)
            {
                return found.Name;
            }
        }

        return null;
    }

    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "A constructor that was trimmed away sets nothing.")]
    private static bool IsOfConstructor(PropertyInfo property) => MemberWriter.FieldOf(property, property.PropertyType) is not null
        && property.DeclaringType!.GetConstructors().SelectMany(constructor => constructor.GetParameters())
            .Any(parameter => string.Equals(parameter.Name, property.Name, StringComparison.OrdinalIgnoreCase));

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
