using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests;

/// <summary>Requests about attachments.</summary>
internal static class AttachmentRequests
{
    public static string Sha256(string text) => Sha256(Encoding.UTF8.GetBytes(text));

    public static string Sha256(byte[] bytes) => Convert.ToBase64String(SHA256.HashData(bytes));

    public static Task<Answer> PutAttachmentAsync(
        this ServerFixture server, string id, string name, object content, string query = "", params (string Name, string Value)[] headers) =>
        server.DbAsync("PUT", $"/attachments?id={id}&name={name}{query}", content, headers);

    /// <summary>The bytes of an answer, and what else it has.</summary>
    public static async Task<(int Status, byte[] Bytes, HttpResponseMessage Message)> GetBytesAsync(
        this ServerFixture server, string id, string name, params (string Name, string Value)[] headers)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, $"/databases/db1/attachments?id={id}&name={name}");
        foreach ((string header, string value) in headers)
        {
            request.Headers.TryAddWithoutValidation(header, value);
        }

        HttpResponseMessage response = await server.Client.SendAsync(request);
        return ((int)response.StatusCode, await response.Content.ReadAsByteArrayAsync(), response);
    }

    public static async Task<JsonElement> MetadataAsync(this ServerFixture server, string id)
    {
        Answer answer = await server.DbAsync("GET", $"/docs?id={id}");
        return answer.Json.GetProperty("Results")[0].GetProperty("@metadata");
    }

    /// <summary>Names in @attachments, in their order.</summary>
    public static async Task<string> NamesAsync(this ServerFixture server, string id) =>
        (await server.MetadataAsync(id)).TryGetProperty("@attachments", out JsonElement shown)
            ? string.Join(',', shown.EnumerateArray().Select(one => one.GetProperty("Name").GetString()))
            : "";

    public static async Task<string> VersionAsync(this ServerFixture server, string id) =>
        (await server.MetadataAsync(id)).GetProperty("@change-vector").GetString()!;

    /// <summary>A batch as official clients send it when it has attachments.</summary>
    public static MultipartContent Multipart(string commands, params byte[][] contents) => Multipart("mixed", commands, contents);

    public static MultipartContent Multipart(string kind, string commands, params byte[][] contents)
    {
        var body = new MultipartContent(kind) { new StringContent($$"""{"Commands":[{{commands}}]}""", new MediaTypeHeaderValue("application/json")) };
        foreach (byte[] content in contents)
        {
            var part = new ByteArrayContent(content);
            part.Headers.TryAddWithoutValidation("Command-Type", "AttachmentStream");
            body.Add(part);
        }

        return body;
    }

    /// <summary>Contents that are stored, and those that nothing refers to.</summary>
    public static async Task<(long Attachments, long Contents)> CountAsync(this ServerFixture server)
    {
        JsonElement statistics = (await server.DbAsync("GET", "/stats")).Json;
        return (statistics.GetProperty("CountOfAttachments").GetInt64(), statistics.GetProperty("CountOfUniqueAttachments").GetInt64());
    }
}
