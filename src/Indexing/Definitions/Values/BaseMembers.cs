using System.Collections.Concurrent;
using System.Reflection;
using Jackdaw.Indexing.Definitions.Library;

namespace Jackdaw.Indexing.Definitions.Values;

/// <summary>Properties of the base library that a value computes and that no other code names, such as the DayNumber of a date.</summary>
internal static class BaseMembers
{
    private static readonly ConcurrentDictionary<(Type, string), MethodInvoker?> s_getters = [];

    /// <summary>The property of the first object for which a value stands that has one; missing if none has.</summary>
    public static Value Read(Value value, string name)
    {
        if (!s_names.Contains(name))
        {
            return Value.Missing;
        }

        foreach (object form in BaseForms.Of(value))
        {
            if (Getter(form.GetType(), name) is { } getter)
            {
                return Conversion.ToValue(getter.Invoke(form));
            }
        }

        return Value.Missing;
    }

    /// <summary>Names come from definitions, so only those that some type has are kept.</summary>
    private static readonly HashSet<string> s_names =
    [
        .. new[] { typeof(string), typeof(DateTime), typeof(DateTimeOffset), typeof(DateOnly), typeof(TimeOnly), typeof(TimeSpan), typeof(Guid) }
            .SelectMany(type => type.GetProperties(BindingFlags.Public | BindingFlags.Instance))
            .Where(property => property.GetIndexParameters().Length == 0).Select(property => property.Name),
    ];

    private static MethodInvoker? Getter(Type type, string name) => s_getters.GetOrAdd((type, name), static key =>
    {
        MethodInfo? getter = key.Item1.GetProperty(key.Item2, BindingFlags.Public | BindingFlags.Instance)?.GetMethod;
        return getter is not null && getter.GetParameters().Length == 0 && AllowedMembers.Allows(key.Item1.FullName!, getter.Name)
            ? MethodInvoker.Create(getter)
            : null;
    });
}
