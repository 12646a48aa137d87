using System.Text.Json;
using Jackdaw.Server.Http.Descriptions;

namespace Jackdaw.Server.Http.Handlers.Api;

/// <summary>Writes inputs as JSON Schema, and their examples as values of it.</summary>
internal static class InputSchema
{
    /// <param name="isInBody">Whether it is a member of a JSON object; otherwise it is a text in an address.</param>
    public static void Write(Utf8JsonWriter json, Input input, bool isInBody)
    {
        json.WriteStartObject();
        if (isInBody)
        {
            json.WriteString("description"u8, input.FullMeaning);
        }

        if (input.IsRepeated)
        {
            json.WriteString("type"u8, "array"u8);
            json.WriteStartObject("items"u8);
        }

        WriteKind(json, input, isInBody);
        if (input.IsRepeated)
        {
            json.WriteEndObject();
        }

        if (input.Default is { } value)
        {
            json.WritePropertyName("default"u8);
            input.WriteValue(json, value);
        }

        json.WriteEndObject();
    }

    /// <summary>Writes the schema of a body.</summary>
    public static void Write(Utf8JsonWriter json, Body body)
    {
        json.WriteStartObject();
        if (body.Members.Count > 0)
        {
            json.WriteString("type"u8, "object"u8);
            json.WriteStartArray("required"u8);
            foreach (Input member in body.Members.Where(member => member.IsRequired))
            {
                json.WriteStringValue(member.Name);
            }

            json.WriteEndArray();
            json.WriteStartObject("properties"u8);
            foreach (Input member in body.Members)
            {
                json.WritePropertyName(member.Name);
                Write(json, member, isInBody: true);
            }

            json.WriteEndObject();
        }

        json.WriteEndObject();
    }

    public static void WriteExample(Utf8JsonWriter json, Input input, bool isInBody)
    {
        bool isText = !isInBody && input.Kind == InputKind.Json;
        if (input.IsRepeated)
        {
            json.WriteStartArray();
        }

        if (isText)
        {
            json.WriteStringValue(input.Example);
        }
        else
        {
            input.WriteValue(json, input.Example);
        }

        if (input.IsRepeated)
        {
            json.WriteEndArray();
        }
    }

    private static void WriteKind(Utf8JsonWriter json, Input input, bool isInBody)
    {
        switch (input.Kind)
        {
            case InputKind.Count:
                json.WriteString("type"u8, "integer"u8);
                json.WriteNumber("minimum"u8, 0);
                return;
            case InputKind.Flag:
                json.WriteString("type"u8, "boolean"u8);
                return;
            case InputKind.Json when isInBody:
                return; // any JSON
        }

        json.WriteString("type"u8, "string"u8);
        if (input.Kind == InputKind.Json)
        {
            json.WriteString("contentMediaType"u8, MediaTypes.Json);
        }

        if (input.Kind == InputKind.Time)
        {
            json.WriteString("format"u8, "date-time"u8);
        }

        if (input.Values.Count > 0)
        {
            json.WriteStartArray("enum"u8);
            foreach (string value in input.Values)
            {
                json.WriteStringValue(value);
            }

            json.WriteEndArray();
        }
    }
}
