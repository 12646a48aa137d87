using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Jackdaw.Client.Serialization.Classes;

/// <summary>Finds a way to set a member that has no public setter: a setter that is not public, or the field that holds its value.</summary>
[UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "Reflection is the default; an application that is trimmed sets TypeInfoResolver.")]
[UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "Reflection is the default; an application that is trimmed sets TypeInfoResolver.")]
internal static class MemberWriter
{
    private const BindingFlags Own = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    /// <param name="type">Type of the values that are set.</param>
    /// <returns>Null if the member is computed from others.</returns>
    public static Action<object, object?>? TryFind(MemberInfo member, Type type) => member switch
    {
        FieldInfo field => field.SetValue,
        PropertyInfo property when SetterOf(property) is { } setter => Call(setter),
        PropertyInfo property when FieldOf(property, type) is { } field
            && (field.FieldType == type || CollectionFilling.CanConvert(field.FieldType)) => Fill(field),
        _ => null,
    };

    /// <summary>The field that holds the value of a property; null if the property computes its value.</summary>
    public static FieldInfo? FieldOf(PropertyInfo property, Type type)
    {
        if (property.DeclaringType!.GetField($"<{property.Name}>k__BackingField", Own) is { } automatic)
        {
            return automatic;
        }

        var getter = GetterCode.Of(property);
        return getter?.Returned is { } field && (field.FieldType == type || CollectionFilling.IsOfSameElements(field.FieldType, type)) ? field : null;
    }

    // A class that overrides only the getter inherits the setter.
    private static MethodInfo? SetterOf(PropertyInfo property)
    {
        for (Type? declaring = property.DeclaringType; declaring is not null; declaring = declaring.BaseType)
        {
            if (declaring.GetProperty(property.Name, Own) is { } found && found.PropertyType == property.PropertyType
                && found.GetSetMethod(nonPublic: true) is { } setter)
            {
                return setter;
            }

            if (property.GetMethod is not { IsVirtual: true })
            {
                return null;
            }
        }

        return null;
    }

    private static Action<object, object?> Call(MethodInfo setter)
    {
        var invoker = MethodInvoker.Create(setter);
        return (owner, value) => invoker.Invoke(owner, value);
    }

    // A collection that the constructor has made is kept and gets the elements, because others may have it, and it knows how it compares.
    private static Action<object, object?> Fill(FieldInfo field)
    {
        if (!CollectionFilling.IsCollection(field.FieldType))
        {
            return field.SetValue;
        }

        return (owner, value) =>
        {
            if (value is null || field.GetValue(owner) is not { } existing || !CollectionFilling.TryFill(existing, value))
            {
                field.SetValue(owner, CollectionFilling.Convert(value, field.FieldType));
            }
        };
    }
}
