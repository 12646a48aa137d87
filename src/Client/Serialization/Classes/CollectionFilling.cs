using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Text.Json.Nodes;
using Jackdaw.Client.ExpressionTrees;

namespace Jackdaw.Client.Serialization.Classes;

/// <summary>Moves elements from a collection that the serializer has made to one that a class has made itself.</summary>
[UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "Reflection is the default; an application that is trimmed sets TypeInfoResolver.")]
[UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "Reflection is the default; an application that is trimmed sets TypeInfoResolver.")]
[UnconditionalSuppressMessage("Trimming", "IL2055", Justification = "Reflection is the default; an application that is trimmed sets TypeInfoResolver.")]
[UnconditionalSuppressMessage("Trimming", "IL2060", Justification = "Reflection is the default; an application that is trimmed sets TypeInfoResolver.")]
[UnconditionalSuppressMessage("Trimming", "IL2080", Justification = "Reflection is the default; an application that is trimmed sets TypeInfoResolver.")]
[UnconditionalSuppressMessage("Trimming", "IL2067", Justification = "Reflection is the default; an application that is trimmed sets TypeInfoResolver.")]
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = "Reflection is the default; an application compiled ahead of time sets TypeInfoResolver.")]
internal static class CollectionFilling
{
    // Types that are made by a static method, and where it is.
    private static readonly Dictionary<Type, (Type Owner, string Method)> s_makers = new()
    {
        [typeof(ImmutableArray<>)] = (typeof(ImmutableArray), nameof(ImmutableArray.CreateRange)),
        [typeof(ImmutableList<>)] = (typeof(ImmutableList), nameof(ImmutableList.CreateRange)),
        [typeof(IImmutableList<>)] = (typeof(ImmutableList), nameof(ImmutableList.CreateRange)),
        [typeof(ImmutableHashSet<>)] = (typeof(ImmutableHashSet), nameof(ImmutableHashSet.CreateRange)),
        [typeof(IImmutableSet<>)] = (typeof(ImmutableHashSet), nameof(ImmutableHashSet.CreateRange)),
        [typeof(ImmutableSortedSet<>)] = (typeof(ImmutableSortedSet), nameof(ImmutableSortedSet.CreateRange)),
        [typeof(ImmutableQueue<>)] = (typeof(ImmutableQueue), nameof(ImmutableQueue.CreateRange)),
        [typeof(IImmutableQueue<>)] = (typeof(ImmutableQueue), nameof(ImmutableQueue.CreateRange)),
        [typeof(ImmutableStack<>)] = (typeof(ImmutableStack), nameof(ImmutableStack.CreateRange)),
        [typeof(IImmutableStack<>)] = (typeof(ImmutableStack), nameof(ImmutableStack.CreateRange)),
        [typeof(ImmutableDictionary<,>)] = (typeof(ImmutableDictionary), nameof(ImmutableDictionary.CreateRange)),
        [typeof(IImmutableDictionary<,>)] = (typeof(ImmutableDictionary), nameof(ImmutableDictionary.CreateRange)),
        [typeof(ImmutableSortedDictionary<,>)] = (typeof(ImmutableSortedDictionary), nameof(ImmutableSortedDictionary.CreateRange)),
        [typeof(FrozenSet<>)] = (typeof(FrozenSet), nameof(FrozenSet.ToFrozenSet)),
        [typeof(FrozenDictionary<,>)] = (typeof(FrozenDictionary), nameof(FrozenDictionary.ToFrozenDictionary)),
    };

    public static bool IsCollection(Type type) => type != typeof(string) && type.IsAssignableTo(typeof(IEnumerable));

    /// <summary>Whether elements of one collection can be those of another one.</summary>
    public static bool IsOfSameElements(Type left, Type right) =>
        IsCollection(left) && IsCollection(right) && ElementOf(left) == ElementOf(right);

    /// <summary>The type of a collection's elements; null if it is not known.</summary>
    public static Type? ElementOf(Type type) => SequenceOf(type)?.GetGenericArguments()[0];

    /// <summary>Whether a type gives its elements in the reverse order of that in which it takes them.</summary>
    public static bool IsStack(Type type)
    {
        for (Type? one = type; one is not null; one = one.BaseType)
        {
            if (one == typeof(Stack) || (one.IsGenericType && one.GetGenericTypeDefinition() is var open && (open == typeof(Stack<>)
                || open == typeof(ConcurrentStack<>) || open == typeof(ImmutableStack<>) || open == typeof(IImmutableStack<>))))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Replaces the elements of a collection. The elements may be those of the same collection.</summary>
    /// <returns>False if it cannot be changed.</returns>
    public static bool TryFill(object existing, object elements)
    {
        if (ReferenceEquals(existing, elements))
        {
            return true;
        }

        if (existing is IDictionary { IsReadOnly: false, IsFixedSize: false } map && elements is IDictionary entries)
        {
            map.Clear();
            foreach (DictionaryEntry entry in entries)
            {
                map[entry.Key] = entry.Value;
            }

            return true;
        }

        if (existing is IList { IsReadOnly: false, IsFixedSize: false } list)
        {
            list.Clear();
            foreach (object? element in (IEnumerable)elements)
            {
                list.Add(element);
            }

            return true;
        }

        return TryFillGeneric(existing, (IEnumerable)elements);
    }

    /// <summary>Replaces the entries of a dictionary or a JSON object by those of another one.</summary>
    /// <param name="read">Makes the other one.</param>
    /// <returns>False if it is something else.</returns>
    public static bool TryFill(object existing, Func<object> read) => existing switch
    {
        JsonObject node => Fill(node, (JsonObject)read()),
        IDictionary<string, object?> or IDictionary => TryFill(existing, read()),
        _ => false,
    };

    private static bool Fill(JsonObject existing, JsonObject other)
    {
        existing.Clear();
        foreach ((string name, JsonNode? value) in other.ToArray())
        {
            other.Remove(name);
            existing[name] = value;
        }

        return true;
    }

    /// <summary>Whether a collection of this type can be made of elements.</summary>
    [SuppressMessage("Design", "CA1031", Justification = "Constructors of users may throw anything.")]
    public static bool CanConvert(Type type)
    {
        Type? element = ElementOf(type);
        if (element is null)
        {
            return true; // The serializer knows it, or nobody does.
        }

        bool isMap = Expressions.IsMap(type) && element.IsGenericType && element.GetGenericTypeDefinition() == typeof(KeyValuePair<,>);
        try
        {
            return Convert(Activator.CreateInstance(isMap
                ? typeof(Dictionary<,>).MakeGenericType(element.GetGenericArguments()) : typeof(List<>).MakeGenericType(element)), type) is not null;
        }
        catch (NotSupportedException)
        {
            return false;
        }
        catch (Exception)
        {
            return true; // It can be called, and refuses an empty list.
        }
    }

    /// <summary>The elements as a collection of this type.</summary>
    /// <exception cref="NotSupportedException">No such collection can be made of elements.</exception>
    public static object? Convert(object? elements, Type type)
    {
        if (elements is null || type.IsInstanceOfType(elements))
        {
            return elements;
        }

        if (type.IsArray)
        {
            var all = new ArrayList();
            foreach (object? element in (IEnumerable)elements)
            {
                all.Add(element);
            }

            return all.ToArray(type.GetElementType()!);
        }

        elements = IsStack(type) ? Reversed((IEnumerable)elements) : elements;
        object? made = TryMake(type, elements) is { } immutable ? immutable
            : type.IsAbstract ? ListOf(type, elements)
            : type.GetConstructor(Type.EmptyTypes) is { } plain && plain.Invoke(null) is { } empty && TryFill(empty, elements) ? empty
            : type.GetConstructors().FirstOrDefault(one => one.GetParameters() is [var only] && only.ParameterType != type
                && (only.ParameterType.IsInstanceOfType(elements) || IsOfSameElements(only.ParameterType, type))) is { } taking
                ? taking.Invoke(BindingFlags.DoNotWrapExceptions, null, [Convert(elements, taking.GetParameters()[0].ParameterType)], null)
            : null;
        return type.IsInstanceOfType(made) ? made : throw new NotSupportedException($"A {type} cannot be made of the elements of a {elements.GetType()}.");
    }

    // The keys and values of dictionaries have their own comparers, which are left out.
    private static object? TryMake(Type type, object elements)
    {
        if (!type.IsGenericType || !s_makers.TryGetValue(type.GetGenericTypeDefinition(), out (Type Owner, string Method) maker))
        {
            return null;
        }

        Type[] arguments = type.GetGenericArguments();
        MethodInfo method = maker.Owner.GetMethods().Single(one => one.Name == maker.Method && one.GetGenericArguments().Length == arguments.Length
            && one.GetParameters() is [{ ParameterType: { IsGenericType: true } only }, ..] parameters
            && only.GetGenericTypeDefinition() == typeof(IEnumerable<>) && parameters.Skip(1).All(parameter => parameter.HasDefaultValue));
        object?[] values = new object?[method.GetParameters().Length];
        values[0] = elements;
        return method.MakeGenericMethod(arguments).Invoke(null, BindingFlags.DoNotWrapExceptions, null, values, null);
    }

    private static object Reversed(IEnumerable elements)
    {
        Type type = ElementOf(elements.GetType()) ?? typeof(object);
        var list = (IList)Activator.CreateInstance(typeof(List<>).MakeGenericType(type))!;
        foreach (object? element in elements)
        {
            list.Insert(0, element);
        }

        return list;
    }

    private static object? ListOf(Type type, object elements)
    {
        Type? element = ElementOf(type);
        return element is null ? null
            : new[] { typeof(List<>), typeof(HashSet<>) }.Select(open => open.MakeGenericType(element)).FirstOrDefault(type.IsAssignableFrom) is { } found
                ? Convert(elements, found)
                : null;
    }

    // Sets, linked lists and other collections that are known by their elements only.
    private static bool TryFillGeneric(object existing, IEnumerable elements)
    {
        if (ElementOf(existing.GetType()) is not { } element)
        {
            return false;
        }

        Type collection = typeof(ICollection<>).MakeGenericType(element);
        if (!collection.IsInstanceOfType(existing) || collection.GetProperty("IsReadOnly")!.GetValue(existing) is true)
        {
            return false;
        }

        MethodInfo add = collection.GetMethod("Add")!;
        collection.GetMethod("Clear")!.Invoke(existing, null);
        foreach (object? one in elements)
        {
            add.Invoke(existing, BindingFlags.DoNotWrapExceptions, null, [one], null);
        }

        return true;
    }

    private static Type? SequenceOf(Type type) =>
        IsSequence(type) ? type : type.GetInterfaces().FirstOrDefault(IsSequence);

    private static bool IsSequence(Type type) => type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IEnumerable<>);
}
