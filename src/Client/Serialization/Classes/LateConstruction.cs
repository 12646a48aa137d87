using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Json.Serialization.Metadata;

namespace Jackdaw.Client.Serialization.Classes;

/// <summary>Makes objects by a constructor with parameters that the serializer itself does not use, such as a private one.</summary>
/// <remarks>The serializer gets an object whose constructor has not run yet, and sets members of it; the values wait beside the object. When all were
/// read, the constructor runs on the object, and the members that it does not know are set.</remarks>
internal sealed class LateConstruction
{
    private static readonly ConditionalWeakTable<JsonTypeInfo, LateConstruction> s_byType = [];

    private readonly ConditionalWeakTable<object, Value[]> _waiting = [];
    private readonly ConstructorInfo _constructor;
    private readonly ParameterInfo[] _parameters;
    private readonly JsonPropertyInfo[] _members;
    private readonly Action<object, object?>?[] _setters;
    private readonly int[] _memberOfParameter;

    private LateConstruction(JsonTypeInfo type, ConstructorInfo constructor)
    {
        _constructor = constructor;
        _parameters = constructor.GetParameters();
        _memberOfParameter = [.. _parameters.Select(parameter => MemberOf(type, parameter) is { } member ? type.Properties.IndexOf(member) : -1)];
        _members = [.. type.Properties];
        _setters = [.. _members.Select(member => member.Set)];
    }

    /// <summary>Lets objects of a class be made by a constructor.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2072", Justification = "The constructor runs on the object afterwards.")]
    public static void Use(JsonTypeInfo type, ConstructorInfo constructor)
    {
        var late = new LateConstruction(type, constructor);
        s_byType.Add(type, late);
        for (int i = 0; i < late._members.Length; i++)
        {
            int member = i;
            if (late._setters[i] is not null || late._memberOfParameter.Contains(i))
            {
                late._members[i].Set = (owner, value) => late.Set(owner, member, value);
            }
        }

        Type made = type.Type;
        type.CreateObject = () => late.Begin(RuntimeHelpers.GetUninitializedObject(made));
        Action<object>? then = type.OnDeserialized;
        type.OnDeserialized = owner =>
        {
            late.Construct(owner);
            then?.Invoke(owner);
        };
    }

    /// <summary>Whether objects of a class are made so.</summary>
    public static bool IsUsed(JsonTypeInfo type) => s_byType.TryGetValue(type, out _);

    /// <summary>Whether a member is a parameter of the constructor that is used for a class.</summary>
    public static bool Takes(JsonTypeInfo type, JsonPropertyInfo member) =>
        s_byType.TryGetValue(type, out LateConstruction? late) && late._memberOfParameter.Contains(Array.IndexOf(late._members, member));

    /// <summary>Whether each parameter is a member of the class, or has a default value.</summary>
    public static bool IsPossible(JsonTypeInfo type, ConstructorInfo constructor) =>
        constructor.GetParameters().All(parameter => MemberOf(type, parameter) is not null || parameter.HasDefaultValue);

    /// <summary>The member that a parameter gets its value from; null if there is none.</summary>
    public static JsonPropertyInfo? MemberOf(JsonTypeInfo type, ParameterInfo parameter) => type.Properties.FirstOrDefault(property =>
        property.AttributeProvider is MemberInfo member && string.Equals(member.Name, parameter.Name, StringComparison.OrdinalIgnoreCase)
        && (parameter.ParameterType.IsAssignableFrom(property.PropertyType)
            || CollectionFilling.IsOfSameElements(parameter.ParameterType, property.PropertyType)));

    private object Begin(object owner)
    {
        _waiting.Add(owner, new Value[_members.Length]);
        return owner;
    }

    private void Set(object owner, int member, object? value)
    {
        if (_waiting.TryGetValue(owner, out Value[]? values))
        {
            values[member] = new Value(value, IsSet: true);
        }
        else if (_setters[member] is { } set)
        {
            set(owner, value);
        }
        else
        {
            throw new NotSupportedException($"'{_members[member].Name}' is set by the constructor only.");
        }
    }

    private void Construct(object owner)
    {
        if (!_waiting.TryGetValue(owner, out Value[]? values))
        {
            return;
        }

        _waiting.Remove(owner);
        object?[] arguments = [.. _parameters.Select((parameter, i) => ArgumentOf(parameter, _memberOfParameter[i], values))];
        _constructor.Invoke(owner, BindingFlags.DoNotWrapExceptions, null, arguments, null);
        for (int i = 0; i < values.Length; i++)
        {
            if (values[i].IsSet)
            {
                _setters[i]?.Invoke(owner, values[i].Content);
            }
        }
    }

    // Reflection takes null as the default of a struct.
    private static object? ArgumentOf(ParameterInfo parameter, int member, Value[] values) =>
        member >= 0 && values[member].IsSet
            ? CollectionFilling.IsCollection(parameter.ParameterType)
                ? CollectionFilling.Convert(values[member].Content, parameter.ParameterType)
                : values[member].Content
            : parameter.HasDefaultValue ? parameter.DefaultValue : null;

    private readonly record struct Value(object? Content, bool IsSet);
}
