using System.Text.Json.Serialization.Metadata;

namespace Jackdaw.Client.Serialization.Classes;

/// <summary>Refuses objects whose class is not known where they are: a member that is declared as a base class would store the members of the base class
/// only.</summary>
internal static class DeclaredTypes
{
    /// <summary>Lets a class refuse objects of derived classes.</summary>
    public static void Check(JsonTypeInfo type)
    {
        Type declared = type.Type;
        bool mayBeAnother = declared is { IsSealed: false, IsValueType: false, IsInterface: false } && declared != typeof(object)
            && (!declared.IsAbstract || type.PolymorphismOptions is not null);
        if (type.Kind != JsonTypeInfoKind.Object || !mayBeAnother || DerivedMembers.IsFallbackDeclared(declared))
        {
            return;
        }

        ClassContract.RefuseWhenWritten(
            type, value => value.GetType() == declared ? null : ClassRefusals.Derived(value.GetType().Name, declared.Name));
    }
}
