using System.Reflection;

namespace Jackdaw.Client.Tests.PublicApi;

/// <summary>The public members of an assembly as text: one on each line, sorted, with what may be null.</summary>
internal static class ApiText
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    public static IReadOnlyList<string> Of(Assembly assembly) =>
        [.. assembly.GetExportedTypes().SelectMany(Lines).Order(StringComparer.Ordinal)];

    private static IEnumerable<string> Lines(Type type)
    {
        string name = ApiNames.Full(type);
        yield return $"{name}: {Kind(type)}{Bases(type)}";
        if (typeof(Delegate).IsAssignableFrom(type))
        {
            yield return $"{name}: {Method(type.GetMethod("Invoke")!)}";
            yield break;
        }

        foreach (MemberInfo member in type.GetMembers(Declared))
        {
            if (Line(member) is { } line)
            {
                yield return $"{name}.{line}";
            }
        }
    }

    private static string Kind(Type type) =>
        typeof(Delegate).IsAssignableFrom(type) ? "delegate"
        : type.IsEnum ? $"enum {ApiNames.Of(type.GetEnumUnderlyingType())}"
        : type.IsInterface ? "interface"
        : type.IsValueType ? "struct"
        : type is { IsAbstract: true, IsSealed: true } ? "static class"
        : type.IsAbstract ? "abstract class"
        : type.IsSealed ? "sealed class"
        : "class";

    private static string Bases(Type type)
    {
        IEnumerable<Type> bases = type.IsEnum || typeof(Delegate).IsAssignableFrom(type) ? [] : type.GetInterfaces().Where(one => one.IsPublic);
        if (type.BaseType is { } parent && parent != typeof(object) && parent != typeof(ValueType) && type.IsClass && !typeof(Delegate).IsAssignableFrom(type))
        {
            bases = bases.Append(parent);
        }

        string text = string.Join(", ", bases.Select(ApiNames.Of).Order(StringComparer.Ordinal));
        return text.Length == 0 ? "" : " : " + text;
    }

    // Null: not seen from outside.
    private static string? Line(MemberInfo member) => member switch
    {
        FieldInfo { IsSpecialName: true } => null,
        FieldInfo field when field.IsPublic || field.IsFamily || field.IsFamilyOrAssembly => Field(field),
        PropertyInfo property when IsSeen(property.GetMethod) || IsSeen(property.SetMethod) => Property(property),
        EventInfo { AddMethod: { } add } happening when IsSeen(add) =>
            $"event {happening.Name} : {ApiNames.Of(new NullabilityInfoContext().Create(happening))}",
        ConstructorInfo constructor when IsSeen(constructor) && !constructor.IsStatic => $"new({Parameters(constructor)})",
        MethodInfo { IsSpecialName: false } method when IsSeen(method) && !method.Name.Contains('<', StringComparison.Ordinal) => Method(method),
        MethodInfo { IsSpecialName: true } method when IsSeen(method) && method.Name.StartsWith("op_", StringComparison.Ordinal) => Method(method),
        _ => null,
    };

    private static bool IsSeen(MethodBase? method) => method is not null && (method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly);

    private static string Field(FieldInfo field)
    {
        string words = field.IsLiteral ? "const " : (field.IsStatic ? "static " : "") + (field.IsInitOnly ? "readonly " : "");
        string value = field.IsLiteral ? $" = {field.GetRawConstantValue()}" : "";
        return field.DeclaringType!.IsEnum
            ? field.Name + value
            : $"{words}{field.Name} : {ApiNames.Of(new NullabilityInfoContext().Create(field))}{value}";
    }

    private static string Property(PropertyInfo property)
    {
        MethodInfo accessor = (IsSeen(property.GetMethod) ? property.GetMethod : property.SetMethod)!;
        ParameterInfo[] indexes = property.GetIndexParameters();
        string name = indexes.Length == 0 ? property.Name : $"this[{string.Join(", ", indexes.Select(Parameter))}]";
        bool isInit = property.SetMethod?.ReturnParameter.GetRequiredCustomModifiers().Any(one => one.Name == "IsExternalInit") == true;
        string accessors = (IsSeen(property.GetMethod) ? "get; " : "") + (IsSeen(property.SetMethod) ? isInit ? "init; " : "set; " : "");
        string required = property.CustomAttributes.Any(one => one.AttributeType.Name == "RequiredMemberAttribute") ? "required " : "";
        return $"{required}{Words(accessor)}{name} : {ApiNames.Of(new NullabilityInfoContext().Create(property))} {{ {accessors}}}";
    }

    private static string Method(MethodInfo method)
    {
        string types = method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(type => type.Name))}>" : "";
        string extension = method.CustomAttributes.Any(one => one.AttributeType.Name == "ExtensionAttribute") ? "this " : "";
        string result = ApiNames.Of(new NullabilityInfoContext().Create(method.ReturnParameter));
        return $"{Words(method)}{method.Name}{types}({extension}{Parameters(method)}) : {result}";
    }

    private static string Words(MethodBase method) =>
        (method.IsPublic ? "" : "protected ") + (method.IsStatic ? "static "
            : method.DeclaringType!.IsInterface || !method.IsVirtual || method.IsFinal ? ""
            : method is MethodInfo overriding && overriding.GetBaseDefinition() != overriding ? "override "
            : method.IsAbstract ? "abstract " : "virtual ");

    private static string Parameters(MethodBase method) => string.Join(", ", method.GetParameters().Select(Parameter));

    private static string Parameter(ParameterInfo parameter)
    {
        string words = parameter.IsOut ? "out " : parameter.IsIn ? "in " : parameter.ParameterType.IsByRef ? "ref "
            : parameter.CustomAttributes.Any(one => one.AttributeType.Name is "ParamArrayAttribute" or "ParamCollectionAttribute") ? "params " : "";
        string value = !parameter.HasDefaultValue ? "" : parameter.RawDefaultValue switch
        {
            null when parameter.ParameterType.IsValueType && Nullable.GetUnderlyingType(parameter.ParameterType) is null => " = default",
            null => " = null",
            string text => $" = \"{text}\"",
            bool truth => truth ? " = true" : " = false",
            var other => $" = {other}",
        };
        return $"{words}{ApiNames.Of(new NullabilityInfoContext().Create(parameter))} {parameter.Name}{value}";
    }
}
