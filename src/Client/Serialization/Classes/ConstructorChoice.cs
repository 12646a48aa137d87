using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Jackdaw.Client.Serialization.Classes;

/// <summary>Chooses the constructor by which objects of a class are made from documents.</summary>
/// <remarks>
/// In this order: the one with <see cref="JsonConstructorAttribute"/>; a public one without parameters; the only public one, if each of its parameters is a
/// member; one without parameters that is not public; the one with the most parameters, public or not, if each is a member or has a default value.
/// </remarks>
[UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "Reflection is the default; an application that is trimmed sets TypeInfoResolver.")]
internal static class ConstructorChoice
{
    private const BindingFlags All = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    /// <summary>Sets how objects of a class are made, where the serializer would not know a way.</summary>
    public static void Complete(JsonTypeInfo type)
    {
        if (type.CreateObject is not null || type.Type.IsAbstract)
        {
            return;
        }

        ConstructorInfo[] all = [.. type.Type.GetConstructors(All).Where(one => !IsCopying(one))];
        if (all.Any(one => one.IsDefined(typeof(JsonConstructorAttribute))) || IsChosenBySerializer(type, all))
        {
            return;
        }

        if (all.FirstOrDefault(one => one.GetParameters().Length == 0) is { } plain)
        {
            var invoker = ConstructorInvoker.Create(plain);
            type.CreateObject = () => invoker.Invoke();
        }
        else if (all.Where(one => LateConstruction.IsPossible(type, one)).OrderByDescending(one => one.GetParameters().Length)
            .ThenByDescending(one => one.IsPublic).FirstOrDefault() is { } bound)
        {
            LateConstruction.Use(type, bound);
        }
    }

    /// <summary>Whether the serializer itself can make objects by the only public constructor.</summary>
    private static bool IsChosenBySerializer(JsonTypeInfo type, ConstructorInfo[] all) =>
        all.Where(one => one.IsPublic).ToArray() is [var only] && only.GetParameters().All(parameter =>
            LateConstruction.MemberOf(type, parameter) is { } member && member.PropertyType == parameter.ParameterType);

    // The constructor of a record that "with" calls.
    private static bool IsCopying(ConstructorInfo constructor) =>
        constructor.GetParameters() is [var only] && only.ParameterType == constructor.DeclaringType
        && (constructor.IsDefined(typeof(CompilerGeneratedAttribute)) || !constructor.IsPublic);
}
