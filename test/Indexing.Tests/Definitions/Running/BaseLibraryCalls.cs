using System.Reflection;

namespace Jackdaw.Indexing.Tests.Definitions.Running;

/// <summary>A member of the base library as an expression of a definition, with the result that C# gives.</summary>
/// <param name="Member">Type and signature.</param>
/// <param name="Text">The expression.</param>
/// <param name="Expected">The result of C#.</param>
internal sealed record BaseLibraryCall(string Member, string Text, object? Expected);

/// <summary>Finds the public members of the base library by reflection and writes a call of each, with cast and with uncast arguments.</summary>
internal static class BaseLibraryCalls
{
    public static readonly Type[] Types =
    [
        typeof(string), typeof(Math), typeof(Convert), typeof(Enumerable), typeof(DateTime), typeof(DateTimeOffset), typeof(DateOnly), typeof(TimeOnly),
        typeof(TimeSpan), typeof(Guid), typeof(List<string>), typeof(Dictionary<string, string>),
    ];

    /// <summary>Most combinations of samples that are tried for a member: some take only certain texts.</summary>
    private const int CombinationsMax = 400;

    /// <summary>All methods, constructors, getters and operators of a type that can be an expression.</summary>
    public static IEnumerable<MethodBase> MembersOf(Type type) => type
        .GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.Instance).Cast<MethodBase>()
        .Concat(type.GetConstructors())
        .Where(method => method is not MethodInfo function || function.ReturnType != typeof(void))
        .Where(method => method.DeclaringType != typeof(object) && !(type.IsValueType && method.Name == "GetType"))
        .Select(method => method is MethodInfo { IsGenericMethodDefinition: true } open ? Closed(open) : method)
        .OfType<MethodBase>();

    /// <summary>Types that no definition can name, because they read the culture or the types of the process, and capacities.</summary>
    private static readonly HashSet<string> s_unnamed =
        ["Calendar", "Type", "CompositeFormat", "SpanAction`2", "SerializationInfo", "IEqualityComparer`1"];

    /// <summary>Whether definitions can have no value of a parameter or of the result.</summary>
    public static bool IsUnnamed(MethodBase method) => method.Name is "get_Capacity" or "EnsureCapacity"
        || (method.IsConstructor && method.DeclaringType!.IsGenericType && method.GetParameters() is [{ ParameterType.Name: "Int32" }, ..])
        || (method as MethodInfo)?.ReturnType.Name == "IEqualityComparer`1"
        || (method.DeclaringType == typeof(Convert) && method.Name == "ToString" && method.GetParameters()[0].ParameterType == typeof(DateTime))
        || method.GetParameters().Any(one => one.ParameterType.Name != "IEqualityComparer`1" && s_unnamed.Contains(one.ParameterType.Name));

    /// <summary>Whether the text of a document decides.</summary>
    /// <remarks>A date without a cast is a text, which is not written in another way, and two texts are joined.</remarks>
    private static bool IsOfText(MethodBase method) => method.Name is "ToString" or "GetTypeCode" or "op_Addition"
        || (method.DeclaringType == typeof(Convert) && method.GetParameters()[0].ParameterType == typeof(char))
        || NeedsCast(method);

    /// <summary>Whether the elements must be cast: nothing says what numbers a sequence has.</summary>
    private static bool NeedsCast(MethodBase method) => method.Name is "Sequence" or "InfiniteSequence"
        || (method.Name == "ToDictionary" && method.GetParameters()[0].ParameterType != typeof(IEnumerable<string>));

    /// <summary>Whether a parameter or the result is a span, a pointer or a reference, which no expression of a definition can hold.</summary>
    public static bool IsRef(MethodBase method) => method.GetParameters().Select(one => one.ParameterType)
        .Append((method as MethodInfo)?.ReturnType ?? method.DeclaringType!)
        .Any(one => one.IsByRef || one.IsByRefLike || one.IsPointer || one.ContainsGenericParameters);

    public static string NameOf(MethodBase method) =>
        $"{method.DeclaringType!.Name}.{method.Name}({string.Join(", ", method.GetParameters().Select(one => BaseLibrarySamples.Name(one.ParameterType)))})";

    /// <summary>The calls of a member, cast and uncast; empty when no samples fit it, and null when C# has no result for any.</summary>
    public static IEnumerable<BaseLibraryCall>? Of(MethodBase method)
    {
        bool isExtension = method.IsDefined(typeof(System.Runtime.CompilerServices.ExtensionAttribute));
        IReadOnlyList<BaseSample>[] samples =
        [
            .. method.IsStatic || method.IsConstructor ? [] : new[] { BaseLibrarySamples.Of(method.DeclaringType!) },
            .. method.GetParameters().Select(one => SamplesOf(method, one)),
        ];
        foreach (BaseSample[] chosen in Product(samples).Take(CombinationsMax))
        {
            if (TryCall(method, chosen, out object? expected))
            {
                bool hasReceiver = isExtension || !(method.IsStatic || method.IsConstructor);
                string cast = Text(method, hasReceiver, [.. chosen.Select(one => one.Cast)]);
                string uncast = Text(method, hasReceiver, [.. chosen.Select(one => one.Uncast)]);
                return cast == uncast || IsOfText(method) ? [new(NameOf(method), cast, expected)]
                    : [new(NameOf(method), cast, expected), new(NameOf(method), uncast, expected)];
            }
        }

        return method.DeclaringType == typeof(Convert) ? null : [];
    }

    private static IReadOnlyList<BaseSample> SamplesOf(MethodBase method, ParameterInfo parameter) =>
        method.Name == "CompareTo" && parameter.ParameterType == typeof(object) ? BaseLibrarySamples.Of(method.DeclaringType!)
        : method.Name != "ParseExact" || parameter.Position != 1 ? BaseLibrarySamples.Of(parameter.ParameterType)
        : parameter.ParameterType == typeof(string)
            ? [.. new[] { "yyyy-MM-dd", "HH:mm:ss", "c", "D" }.Select(format => new BaseSample(format, null, $"\"{format}\""))]
            : [new BaseSample(new[] { "yyyy-MM-dd", "HH:mm:ss", "c" }, null, "new[] { \"yyyy-MM-dd\", \"HH:mm:ss\", \"c\" }")];

    private static bool TryCall(MethodBase method, BaseSample[] chosen, out object? result)
    {
        result = null;
        try
        {
            object?[] arguments = [.. chosen.Select(one => one.Value)];
            result = method is ConstructorInfo constructor ? constructor.Invoke(arguments)
                : method.IsStatic ? method.Invoke(null, arguments)
                : method.Invoke(arguments[0], arguments[1..]);
            result = result is System.Collections.IEnumerable and not (string or System.Collections.IDictionary)
                ? ((System.Collections.IEnumerable)result).Cast<object?>().Take(100).ToList()
                : result;
            return true;
        }
        catch (TargetInvocationException fault)
        {
            // Conversions that C# has for no value.
            result = fault.InnerException;
            return false;
        }
    }

    private static string Text(MethodBase method, bool hasReceiver, string[] parts)
    {
        string type = BaseLibrarySamples.Name(method.DeclaringType!);
        string name = method.Name;
        string[] arguments = hasReceiver ? parts[1..] : parts;
        string list = string.Join(", ", arguments);
        if (name.StartsWith("op_", StringComparison.Ordinal))
        {
            return Operator((MethodInfo)method, parts);
        }

        string target = method.IsConstructor ? "new " + type : hasReceiver ? parts[0] : type;
        string generics = method is MethodInfo { IsGenericMethod: true } && name is "Cast" or "OfType" or "Empty" ? "<string>" : "";
        string end = name == "InfiniteSequence" ? ".Take(100)" : "";
        return method.IsConstructor ? $"{target}({list})"
            : name is "get_Item" or "get_Chars" ? $"{target}[{list}]"
            : name.StartsWith("get_", StringComparison.Ordinal) ? $"{target}.{name[4..]}"
            : $"{target}.{name}{generics}({list}){end}";
    }

    private static string Operator(MethodInfo method, string[] parts) => method.Name switch
    {
        "op_Implicit" or "op_Explicit" => $"(({BaseLibrarySamples.Name(method.ReturnType)}){parts[0]})",
        "op_UnaryNegation" => "-" + parts[0],
        "op_UnaryPlus" => "+" + parts[0],
        _ => $"{parts[0]} {method.Name switch
        {
            "op_Addition" => "+",
            "op_Subtraction" => "-",
            "op_Multiply" => "*",
            "op_Division" => "/",
            "op_Equality" => "==",
            "op_Inequality" => "!=",
            "op_LessThan" => "<",
            "op_LessThanOrEqual" => "<=",
            "op_GreaterThan" => ">",
            "op_GreaterThanOrEqual" => ">=",
            _ => throw new InvalidOperationException(method.Name),
        }} {parts[1]}",
    };

    private static MethodInfo? Closed(MethodInfo open)
    {
        try
        {
            bool isNumeric = open.Name is "Sequence" or "InfiniteSequence";
            return open.MakeGenericMethod(Array.ConvertAll(open.GetGenericArguments(), _ => isNumeric ? typeof(int) : typeof(string)));
        }
        catch (ArgumentException)
        {
            return null;
        }
    }

    private static IEnumerable<BaseSample[]> Product(IReadOnlyList<BaseSample>[] samples)
    {
        IEnumerable<BaseSample[]> product = [[]];
        foreach (IReadOnlyList<BaseSample> ones in samples)
        {
            product = product.SelectMany(before => ones.Select(one => (BaseSample[])[.. before, one]));
        }

        return product;
    }
}
