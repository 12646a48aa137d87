namespace Jackdaw.Indexing.Definitions.Compilation;

/// <summary>Names of generated code. All begin with two underscores, which definitions must not use.</summary>
internal static class GeneratedNames
{
    public const string Namespace = "__Definition";
    public const string Class = "__Index";
    public const string Source = "__source";
    public const string Value = "__Value";

    /// <summary>The name of the type of values. A member can have this name too.</summary>
    public const string ValueMember = "Value";
    public const string Text = "__Text";
    public const string Dates = "__Dates";
    public const string Convert = "__Convert";
    public const string Bounded = "__Bounded";
    public const string BoundedDates = "__BoundedDates";
    public const string Budget = "__Budget";
    public const string AsValues = "__Sequences.AsValues";
    public const string ToValue = "__Conversion.ToValue";
    public const string Calls = "__Calls";
    public const string MapMethod = "Map";
    public const string ReduceMethod = "Reduce";

    private const string Values = "Jackdaw.Indexing.Definitions.Values";
    private const string Rows = "Jackdaw.Indexing.Definitions.Rows";
    private const string Functions = "Jackdaw.Indexing.Definitions.Functions";

    /// <summary>Usings for everything in a definition.</summary>
    public const string Usings = $"""
        global using System;
        global using System.Collections;
        global using System.Collections.Generic;
        global using System.Globalization;
        global using System.Text;
        global using System.Text.RegularExpressions;
        global using {Functions};
        global using {Rows};
        global using {Namespace};
        global using {Value} = {Values}.Value;
        global using {Budget} = {Values}.ExecutionBudget;
        global using __LateCall = Jackdaw.Indexing.Definitions.Calls.LateCall;
        global using __Conversion = {Values}.Conversion;
        global using __IMemberHolder = {Values}.IMemberHolder;
        global using __MemberName = {Values}.MemberName;
        global using __Sequences = {Functions}.SequenceFunctions;
        global using {Text} = {Functions}.TextFunctions;
        global using {Dates} = {Functions}.DateFunctions;
        global using {Convert} = {Functions}.ConvertFunctions;
        global using {Bounded} = {Functions}.BoundedFunctions;
        global using {BoundedDates} = {Functions}.BoundedDates;
        global using Regex = {Functions}.RegexFunctions;
        global using Enumerable = {Functions}.SequenceFunctions;

        """;

    /// <summary>Hides the methods of spans, which C# prefers for arrays, from definitions: no expression of theirs can hold a span.</summary>
    public const string HiddenTypes = "namespace System { internal static class MemoryExtensions { } }";

    /// <summary>Usings for maps and the reduce only. Additional sources use the base library instead.</summary>
    public const string ExpressionUsings = $"""
        using Math = {Functions}.MathFunctions;
        using Convert = {Functions}.ConvertFunctions;

        """;
}
