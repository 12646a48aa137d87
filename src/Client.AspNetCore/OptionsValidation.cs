using Jackdaw.Client.Exceptions;
using Microsoft.Extensions.Options;

namespace Jackdaw.Client.AspNetCore;

/// <summary>Reports everything that is wrong with the options of a program when it starts.</summary>
internal sealed class OptionsValidation : IValidateOptions<JackdawOptions>
{
    public ValidateOptionsResult Validate(string? name, JackdawOptions options)
    {
        string place = options.Section ?? (string.IsNullOrEmpty(name) ? "AddJackdaw" : $"AddJackdaw(\"{name}\")");
        List<string> problems = [.. options.Problems];
        if (ConnectionText.Apply(options) is { } wrong)
        {
            problems.Add($"{place}: ConnectionString: {wrong}");
        }

        if (options.Urls.Count == 0)
        {
            problems.Add($"{place}: Urls is empty. Give the address of a server, such as http://127.0.0.1:8080.");
        }
        else if (ProblemOf(options) is { } problem)
        {
            problems.Add($"{place}: {problem}");
        }

        if (string.IsNullOrWhiteSpace(options.Database))
        {
            problems.Add($"{place}: Database is empty. Give the name of the database that sessions use.");
        }

        if (options.RequestTimeout is { } timeout && timeout <= TimeSpan.Zero)
        {
            problems.Add($"{place}: RequestTimeout is {timeout}. Give a time above zero, such as 00:00:30, or leave it out.");
        }

        return problems.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(problems);
    }

    // The store knows which addresses and certificates it accepts.
    private static string? ProblemOf(JackdawOptions options)
    {
        try
        {
            using var store = new DocumentStore(options.Urls)
            {
                CertificateFile = options.CertificateFile,
                CertificatePassword = options.CertificatePassword,
                TrustedAuthoritiesFile = options.TrustedAuthoritiesFile,
                Certificate = options.Certificate,
            };
            store.Initialize();
            return null;
        }
        catch (Exception refused) when (refused is CertificateFileException or InvalidOperationException)
        {
            return refused.Message;
        }
        catch (ArgumentException refused)
        {
            int parameter = refused.Message.IndexOf(" (Parameter '", StringComparison.Ordinal);
            return $"Urls: {(parameter < 0 ? refused.Message : refused.Message[..parameter])}";
        }
    }
}
