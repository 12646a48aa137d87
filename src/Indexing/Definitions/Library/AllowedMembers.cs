namespace Jackdaw.Indexing.Definitions.Library;

/// <summary>What a compiled definition may name outside itself: types of the base library with their members, and the
/// public types of our runtime.</summary>
/// <remarks>Everything else is refused. With a new runtime, a new member becomes allowed if its type is listed with exceptions.
/// So lists with exceptions are only for types whose members compute from their arguments.</remarks>
internal static class AllowedMembers
{
    /// <summary>Part of the key of cached assemblies. Change it when the lists change.</summary>
    public const int Version = 4;

    private const string Own = "Jackdaw.Indexing.Definitions.";

    /// <summary>Null means all members; a list means these members; a list after '!' means all members except these.</summary>
    private static readonly Dictionary<string, string?> s_types = new()
    {
        ["System.Object"] = ".ctor,Equals,ToString",
        ["System.String"] = "!.ctor,Create,GetPinnableReference,CopyTo,TryCopyTo," + RefusedMembers.Of("System.String"),
        ["System.Math"] = null,
        ["System.DateTime"] = "!Parse,TryParse,ParseExact,TryParseExact," + RefusedMembers.Of("System.DateTime"),
        ["System.DateTimeOffset"] = "!Parse,TryParse," + RefusedMembers.Of("System.DateTimeOffset"),
        ["System.Guid"] = "!" + RefusedMembers.Of("System.Guid"),
        ["System.ValueType"] = ".ctor,Equals",
        ["System.Enum"] = "ToString,HasFlag",
        ["System.Exception"] = ".ctor,get_Message",
        ["System.InvalidOperationException"] = ".ctor",
        ["System.ArgumentException"] = ".ctor",
        ["System.FormatException"] = ".ctor",
        ["System.NotSupportedException"] = ".ctor",
        ["System.Array"] = "get_Length,IndexOf,get_Rank,GetLength,Empty",
        ["System.Delegate"] = "Combine,Remove",
        ["System.Convert"] = "!" + RefusedMembers.Of("System.Convert"),
        ["System.Collections.Generic.List`1"] = "!EnsureCapacity,set_Capacity," + RefusedMembers.Of("System.Collections.Generic.List`1"),
        ["System.Collections.Generic.Dictionary`2"] = "!EnsureCapacity," + RefusedMembers.Of("System.Collections.Generic.Dictionary`2"),
        ["System.Collections.Generic.HashSet`1"] = "!EnsureCapacity",
        ["System.Text.StringBuilder"] = "!EnsureCapacity,set_Capacity,set_Length,GetChunks,CopyTo",
        ["System.Globalization.CultureInfo"] = "get_InvariantCulture",
        ["System.Runtime.CompilerServices.RuntimeHelpers"] = "InitializeArray",
        ["System.Environment"] = "get_CurrentManagedThreadId",
        ["System.Type"] = "-",
    };

    /// <summary>Types with all their members.</summary>
    private static readonly HashSet<string> s_whole =
    [
        .. "Boolean,Char,SByte,Byte,Int16,UInt16,Int32,UInt32,Int64,UInt64,Single,Double,Decimal,TimeSpan,DayOfWeek"
            .Split(',').Select(name => "System." + name),
        .. ("DateTimeKind,DateOnly,TimeOnly,StringComparison,StringSplitOptions,Void,Nullable`1,IDisposable,Index,Range," +
            "IFormatProvider,IComparable,IComparable`1,IEquatable`1,IFormattable,MidpointRounding,RuntimeFieldHandle," +
            "ReadOnlySpan`1,TypeCode,DBNull,Base64FormattingOptions,Int128,UInt128,Half,IntPtr,UIntPtr").Split(',').Select(name => "System." + name),
        "System.Collections.IEnumerable", "System.Collections.IEnumerator", "System.Linq.IOrderedEnumerable`1",
        "System.Linq.ILookup`2", "System.Linq.IGrouping`2", "System.StringComparer", "System.Collections.Generic.Comparer`1",
        .. ("IEnumerable`1,IEnumerator`1,ICollection`1,IList`1,IReadOnlyList`1,IReadOnlyCollection`1,IDictionary`2," +
            "IReadOnlyDictionary`2,List`1/Enumerator,Dictionary`2/Enumerator,Dictionary`2/KeyCollection," +
            "Dictionary`2/ValueCollection,Dictionary`2/KeyCollection/Enumerator,Dictionary`2/ValueCollection/Enumerator," +
            "HashSet`1/Enumerator,KeyValuePair`2,EqualityComparer`1,IComparer`1,ISet`1,IReadOnlySet`1," +
            "IEqualityComparer`1").Split(',').Select(name => "System.Collections.Generic." + name),
        "System.Globalization.NumberStyles", "System.Globalization.CompareOptions", "System.Collections.ObjectModel.ReadOnlyCollection`1",
        "System.Globalization.DateTimeStyles", "System.Globalization.TimeSpanStyles",
        "System.Text.RegularExpressions.RegexOptions", "System.Text.NormalizationForm",
        "System.Runtime.CompilerServices.DefaultInterpolatedStringHandler",
        "System.Text.StringBuilder/AppendInterpolatedStringHandler",
    ];

    private static readonly HashSet<string> s_attributes =
    [
        "System.Diagnostics.DebuggerBrowsableAttribute", "System.Diagnostics.DebuggerBrowsableState",
        "System.Diagnostics.DebuggerHiddenAttribute", "System.Diagnostics.DebuggableAttribute",
        "System.Diagnostics.DebuggableAttribute/DebuggingModes", "System.ParamArrayAttribute",
        "System.Reflection.DefaultMemberAttribute", "System.Diagnostics.DebuggerDisplayAttribute",
        "System.Security.UnverifiableCodeAttribute",
    ];

    private static readonly HashSet<string> s_ownTypes =
    [
        .. "Value,IMemberHolder,MemberName,ExecutionBudget,DefinitionStoppedException,Conversion".Split(',')
            .Select(name => Own + "Values." + name),
        .. ("SequenceFunctions,ValueFunctions,MemberFunctions,BoundedFunctions,BoundedDates,RegexFunctions,TextFunctions," +
            "MathFunctions,ConvertFunctions,DateFunctions,Group`2").Split(',')
            .Select(name => Own + "Functions." + name),
        .. ("OutputRow,MapSource,ReduceSource,CreateFieldOptions,FieldStorage,FieldIndexing,FieldTermVector," +
            "DefinitionBase,UntrackedLoading").Split(',').Select(name => Own + "Rows." + name),
        Own + "Calls.LateCall",
    ];

    /// <summary>True when compiled code may name it.</summary>
    /// <param name="type">The full name in metadata, with '/' before a nested type.</param>
    /// <param name="member">The name in metadata; null for the type itself.</param>
    public static bool Allows(string type, string? member)
    {
        if (s_ownTypes.Contains(type) || s_whole.Contains(type))
        {
            return member != "GetType" && (member != "GetHashCode" || type.EndsWith("EqualityComparer`1", StringComparison.Ordinal));
        }

        if (IsAttribute(type))
        {
            return member is null or ".ctor" or "Default" or "DisableOptimizations" or "value__";
        }

        if (IsDelegate(type))
        {
            return member is null or ".ctor" or "Invoke";
        }

        if (type.StartsWith("System.ValueTuple`", StringComparison.Ordinal)
            || type.StartsWith("System.Tuple`", StringComparison.Ordinal))
        {
            return member is not ("GetHashCode" or "GetType");
        }

        if (!s_types.TryGetValue(type, out string? members))
        {
            return false;
        }

        if (member is null || members is null)
        {
            return true;
        }

        bool isException = members[0] == '!';
        return members.TrimStart('!').Split(',').Contains(member) != isException && member != "GetType";
    }

    private static bool IsAttribute(string type) => s_attributes.Contains(type)
        || (type.StartsWith("System.Runtime.CompilerServices.", StringComparison.Ordinal)
            && type.EndsWith("Attribute", StringComparison.Ordinal));

    private static bool IsDelegate(string type) => type.StartsWith("System.Func`", StringComparison.Ordinal)
        || type == "System.Action" || type.StartsWith("System.Action`", StringComparison.Ordinal)
        || type is "System.Predicate`1" or "System.Comparison`1" or "System.Converter`2";
}
