using System.Collections.Concurrent;
using System.Reflection;
using Jackdaw.Indexing.Definitions.Library;
using Jackdaw.Indexing.Definitions.Values;
using BoundedDates = Jackdaw.Indexing.Definitions.Functions.BoundedDates;
using BoundedFunctions = Jackdaw.Indexing.Definitions.Functions.BoundedFunctions;

namespace Jackdaw.Indexing.Definitions.Calls;

/// <summary>The methods and constructors of the base library that definitions can call with values, found by reflection.</summary>
internal static class CallTable
{
    /// <summary>The name of constructors in metadata.</summary>
    public const string Constructor = ".ctor";

    /// <summary>Types with methods for values. The order is that of the objects for which a value stands.</summary>
    private static readonly Type[] s_receivers =
    [
        typeof(string), typeof(DateTime), typeof(DateTimeOffset), typeof(DateOnly), typeof(TimeOnly), typeof(TimeSpan), typeof(Guid), typeof(long),
        typeof(double), typeof(decimal), typeof(bool), typeof(List<Value>), typeof(Dictionary<string, Value>), typeof(KeyValuePair<string, Value>),
    ];

    private static readonly Dictionary<string, Type> s_types = s_receivers.Where(type => !type.IsGenericType)
        .Concat([typeof(Math), typeof(Convert), typeof(char), typeof(int), typeof(uint), typeof(ulong), typeof(short), typeof(ushort), typeof(byte),
            typeof(sbyte), typeof(float)])
        .ToDictionary(type => type.FullName!);

    private static readonly ConcurrentDictionary<(Type, string, bool), CallCandidate[]> s_candidates = [];

    private static readonly Lazy<HashSet<string>> s_instanceNames = new(() =>
        [.. s_receivers.SelectMany(type => type.GetMethods(BindingFlags.Public | BindingFlags.Instance)).Select(method => method.Name)]);

    /// <summary>The type with this full name; null when calls on it cannot be chosen late.</summary>
    public static Type? TypeOf(string name) => s_types.GetValueOrDefault(name);

    /// <summary>The methods with this name that definitions can call.</summary>
    /// <param name="member">A name, or <see cref="Constructor"/>.</param>
    public static CallCandidate[] Find(Type type, string member, bool isStatic) =>
        isStatic || s_instanceNames.Value.Contains(member) ? s_candidates.GetOrAdd((type, member, isStatic), static key => Make(key)) : [];

    /// <summary>The methods with this name that a value has as one of the objects for which it can stand.</summary>
    public static IEnumerable<CallCandidate> FindOfValues(string member) => s_receivers.SelectMany(type => Find(type, member, isStatic: false));

    /// <summary>The full name of a refused method that a value has under this name; null when none is refused.</summary>
    public static string? RefusedOfValues(string member) => s_receivers
        .Where(type => type.GetMethods(BindingFlags.Public | BindingFlags.Instance).Any(method => method.Name == member))
        .Select(type => NameOf(type) + "." + member)
        .FirstOrDefault(name => RefusedMembers.Instead(name) is not null);

    /// <summary>Whether the elements of lists have a method with this name that takes a function, such as Find.</summary>
    public static bool TakesFunction(string member) => typeof(List<Value>).GetMethods(BindingFlags.Public | BindingFlags.Instance)
        .Any(method => method.Name == member && method.GetParameters().Any(parameter => typeof(Delegate).IsAssignableFrom(parameter.ParameterType)));

    private static CallCandidate[] Make((Type Type, string Member, bool IsStatic) key)
    {
        BindingFlags flags = BindingFlags.Public | (key.IsStatic && key.Member != Constructor ? BindingFlags.Static : BindingFlags.Instance);
        IEnumerable<MethodBase> methods = key.Member == Constructor
            ? key.Type.GetConstructors(flags)
            : key.Type.GetMethods(flags).Where(method => method.Name == key.Member && method.ReturnType != typeof(void));
        return [.. Bounded(key) ?? methods.Where(IsCallable).Select(method => new CallCandidate(method))];
    }

    /// <summary>Our methods instead of those that make a large text from small arguments, or read the clock.</summary>
    private static IEnumerable<CallCandidate>? Bounded((Type Type, string Member, bool IsStatic) key)
    {
        (Type holder, string name) = key.Type == typeof(string)
            ? (typeof(BoundedFunctions), key.Member == Constructor ? "RepeatBounded" : key.Member + "Bounded")
            : key.Type == typeof(DateTime) || key.Type == typeof(DateTimeOffset) ? (typeof(BoundedDates), key.Member)
            : (typeof(BoundedDates), "");
        MethodInfo[] methods = [.. holder.GetMethods(BindingFlags.Public | BindingFlags.Static)
            .Where(method => method.Name == name && !method.IsGenericMethod && method.GetParameters()[0].ParameterType.Name != "StringBuilder")];
        return methods.Length == 0 ? null : methods.Where(HasPlainParameters).Select(method => new CallCandidate(method));
    }

    private static bool IsCallable(MethodBase method) => !method.ContainsGenericParameters && HasPlainParameters(method)
        && (method is not MethodInfo function || !function.ReturnType.IsByRefLike && !function.ReturnType.IsByRef)
        && AllowedMembers.Allows(NameOf(method.DeclaringType!), method.Name);

    private static bool HasPlainParameters(MethodBase method) => method.GetParameters().All(parameter =>
        parameter.ParameterType is { IsByRef: false, IsByRefLike: false, IsPointer: false });

    private static string NameOf(Type type) => (type.IsGenericType ? type.GetGenericTypeDefinition() : type).FullName!;
}
