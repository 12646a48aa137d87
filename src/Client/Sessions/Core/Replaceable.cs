using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>Finds out whether objects of a class are replaced instead of changed: records, whose changes are made by <c>with</c>, and structs.</summary>
internal static class Replaceable
{
    private static readonly ConcurrentDictionary<Type, bool> s_known = new();

    public static bool Is(Type type) => type.IsValueType || s_known.GetOrAdd(type, static type => IsRecord(type));

    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A record that is never copied has lost the method, and is not replaced.")]
    private static bool IsRecord(Type type) => type.GetMethod("<Clone>$", BindingFlags.Instance | BindingFlags.Public) is not null;
}
