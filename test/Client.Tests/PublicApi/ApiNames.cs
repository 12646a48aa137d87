using System.Reflection;

namespace Jackdaw.Client.Tests.PublicApi;

/// <summary>Names of types as C# writes them.</summary>
internal static class ApiNames
{
    private static readonly Dictionary<Type, string> s_words = new()
    {
        [typeof(void)] = "void",
        [typeof(object)] = "object",
        [typeof(string)] = "string",
        [typeof(bool)] = "bool",
        [typeof(int)] = "int",
        [typeof(long)] = "long",
        [typeof(double)] = "double",
        [typeof(decimal)] = "decimal",
        [typeof(float)] = "float",
        [typeof(byte)] = "byte",
        [typeof(char)] = "char",
    };

    /// <summary>With its namespace.</summary>
    public static string Full(Type type) => type.DeclaringType is { } outer ? $"{Full(outer)}.{Of(type)}" : $"{type.Namespace}.{Of(type)}";

    /// <summary>Without what may be null.</summary>
    public static string Of(Type type) =>
        type.IsByRef ? Of(type.GetElementType()!)
        : type.IsArray ? Of(type.GetElementType()!) + "[]"
        : Nullable.GetUnderlyingType(type) is { } plain ? Of(plain) + "?"
        : s_words.TryGetValue(type, out string? word) ? word
        : type.IsGenericType ? Generic(type, type.GetGenericArguments().Select(Of))
        : type.Name;

    /// <summary>With what may be null.</summary>
    public static string Of(NullabilityInfo info)
    {
        Type type = info.Type.IsByRef ? info.Type.GetElementType()! : info.Type;
        bool isNullable = !type.IsValueType && (info.ReadState == NullabilityState.Nullable || info.WriteState == NullabilityState.Nullable);
        string text = info.ElementType is { } element && type.IsArray ? Of(element) + "[]"
            : type.IsGenericType && info.GenericTypeArguments.Length > 0 && Nullable.GetUnderlyingType(type) is null
                ? Generic(type, info.GenericTypeArguments.Select(Of))
            : Of(type);
        return isNullable ? text + "?" : text;
    }

    private static string Generic(Type type, IEnumerable<string> arguments)
    {
        int tick = type.Name.IndexOf('`', StringComparison.Ordinal);
        return tick < 0 ? type.Name : $"{type.Name[..tick]}<{string.Join(", ", arguments)}>";
    }
}
