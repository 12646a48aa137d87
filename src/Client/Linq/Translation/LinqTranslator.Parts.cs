using System.Globalization;
using System.Linq.Expressions;
using Jackdaw.Client.Linq.Conditions;
using Jackdaw.Client.Linq.Rql;
using Jackdaw.Client.Vectors;

namespace Jackdaw.Client.Linq.Translation;

/// <summary>Shapes, vectors, facets, suggestions, similar documents, and what answers include.</summary>
internal sealed partial class LinqTranslator
{
    private void ApplyPart(StepExpression operation, QueryStep step)
    {
        switch (step)
        {
            case IncludeStep include:
                foreach (IncludeClause part in include.Parts)
                {
                    Include(part);
                }

                break;
            case HighlightStep highlight:
                Highlight(highlight);
                break;
            case FacetStep facets:
                BeginSpecial(operation);
                Facets(facets);
                break;
            case SuggestStep suggestions:
                BeginSpecial(operation);
                Suggest(suggestions);
                break;
            case SimilarStep similar:
                RequireUnpaged(operation);
                _where.Add(Similar(similar));
                break;
            case SelectFieldsStep select:
                SelectFields(operation, select);
                break;
            case GroupKeysStep keys:
                GroupByNames(operation, keys);
                break;
            case GroupItemStep item:
                SelectOfGroups(item);
                break;
            case PageStep page:
                _query.Page = (page.Skip ?? _query.Page.Skip, page.Take ?? _query.Page.Take);
                break;
            default:
                throw new InvalidOperationException($"{step.GetType().Name} is not a step of a query.");
        }
    }

    private void BeginSpecial(Expression operation)
    {
        _isSpecial = true;
        if (_element != _root || _group is not null || _query.IsDistinct || _projected is not null || _query.Filter is not FixedCondition)
        {
            _problems.Add(operation, "Such a query answers only facets and suggestions.", "Leave out Select, GroupBy, Distinct and Filter.");
        }
    }

    private CallCondition? Shape(SpatialStep step)
    {
        if (PlaceOf(step.Place) is not { } place)
        {
            return null;
        }

        List<RqlOperand> arguments = [place, ShapeOf(step.Shape)];
        if (step.ErrorPercent is { } error)
        {
            arguments.Add(new ValueOperand(error));
        }

        return RqlConditions.Call("spatial." + step.Relation, arguments);
    }

    private void Distance(DistanceStep step)
    {
        if (PlaceOf(step.Place) is { } from)
        {
            List<RqlOperand> arguments = [from, ShapeOf(step.From)];
            if (step.Round > 0)
            {
                arguments.Add(new ValueOperand(step.Round));
            }

            AddOrder(new RqlOrder(new CallOperand("spatial.distance", arguments), null, step.IsDescending), step.IsThen);
        }
    }

    private RqlOperand? PlaceOf(SpatialPlace place)
    {
        if (place.Name is { } name)
        {
            return new TextOperand(RqlPath.Parse(name).Text);
        }

        LambdaExpression?[] lambdas = [place.Latitude, place.Longitude, place.Text, place.Field];
        List<RqlOperand> paths = [];
        foreach (LambdaExpression lambda in lambdas.OfType<LambdaExpression>())
        {
            if (_operands.TryFind(BindField(lambda)) is not { } field)
            {
                _problems.Add(lambda, "A place is made of fields.", "Name a field of the documents or of the index.");
                return null;
            }

            paths.Add(field.Operand);
        }

        return place.Field is not null ? paths[0] : new CallOperand(place.Text is null ? "spatial.point" : "spatial.wkt", paths);
    }

    private RqlCondition Near(VectorStep step)
    {
        (VectorPlace place, VectorChoice choice) = (step.Place, step.Choice);
        if (FieldOf(place.Field, Translatable.Vector.Reason, Translatable.Vector.Hint) is not { } field)
        {
            return new RefusedCondition();
        }

        var value = new ValueOperand(step.Value, new StepOrigin(step));
        List<RqlOperand> arguments =
        [
            FormOf(place) is { } form ? new CallOperand("embedding." + form, [field.Operand]) : field.Operand,
            choice.Function is { } function ? new CallOperand(function, [value]) : value,
        ];
        if (choice.Minimum is not null || choice.Candidates is not null)
        {
            arguments.Add(new TextOperand(choice.Minimum is { } minimum ? ((decimal)minimum).ToString(CultureInfo.InvariantCulture) : "null"));
        }

        if (choice.Candidates is { } candidates)
        {
            arguments.Add(new TextOperand(candidates.ToString(CultureInfo.InvariantCulture)));
        }

        CallCondition near = RqlConditions.Call("vector.search", arguments);
        return choice.IsExact ? RqlConditions.Call("exact", new ConditionOperand(near)) : near;
    }

    /// <returns>Null: the field alone says it.</returns>
    private static string? FormOf(VectorPlace place) => (place.Source, place.Target) switch
    {
        (null or EmbeddingType.Single, null or EmbeddingType.Single) => null,
        (EmbeddingType.Single, EmbeddingType.Int8) => "f32_i8",
        (EmbeddingType.Single, _) => "f32_i1",
        (EmbeddingType.Int8, _) => "i8",
        (EmbeddingType.Binary, _) => "i1",
        (_, EmbeddingType.Int8) => "text_i8",
        (_, EmbeddingType.Binary) => "text_i1",
        _ => "text",
    };

    private static CallOperand ShapeOf(SpatialShape shape)
    {
        (string name, object?[] numbers) = shape switch
        {
            { Text: { } text } => ("spatial.wkt", new object?[] { text }),
            { Radius: { } radius } => ("spatial.circle", [radius, shape.Latitude, shape.Longitude]),
            _ => ("spatial.point", [shape.Latitude, shape.Longitude]),
        };
        List<RqlOperand> arguments = [.. numbers.Select(number => new ValueOperand(number))];
        if (shape.Units is { } units)
        {
            arguments.Add(new TextOperand(RqlNames.Quote(units)));
        }

        return new CallOperand(name, arguments);
    }

    private void Include(IncludeClause part)
    {
        RqlPath? path = part.Path is null ? null : _fields.TryFind(BindField(part.Path));
        if (part.Path is not null && path is null or { IsDocument: true })
        {
            _problems.Add(part.Path!, "An include is the path of an id.", "Name a field, such as x => x.Company or x => x.Lines.Select(l => l.Product).");
            return;
        }

        string? text = part.PathText ?? path?.Name;
        if (part.Call is null)
        {
            _includes.Add(text!);
            bool isPlain = path is { IsSimple: true } && RqlNames.IsIdentifier(text!) && !RqlNames.IsWord(text!);
            bool hasMarks = path?.Steps.Any(step => step.Name?.AsSpan().IndexOfAny(".['") >= 0) == true; // in a text the name would be several parts
            _query.Includes.Add(new TextOperand(
                isPlain || (path is null && RqlNames.IsIdentifier(text!)) ? text! : hasMarks ? path!.Text : RqlNames.Quote(text!)));
            return;
        }

        List<RqlOperand> arguments = text is null ? [] : [new TextOperand(path?.Text ?? RqlNames.Quote(text))];
        arguments.AddRange(part.Arguments.Select(argument => new TextOperand(RqlNames.Quote(argument))));
        _query.Includes.Add(new CallOperand(part.Call, arguments));
    }

    private void Highlight(HighlightStep highlight)
    {
        if (FieldText(highlight.Field, highlight.Name) is { } field)
        {
            List<RqlOperand> arguments = [field, new TextOperand(highlight.Length.ToString()), new TextOperand(highlight.Count.ToString())];
            if (highlight.Options is not null)
            {
                arguments.Add(new ValueOperand(highlight.Options));
            }

            _query.Includes.Add(new CallOperand("highlight", arguments));
        }
    }

    private RqlOperand? FieldText(LambdaExpression? lambda, string? name) => FieldOf(
        lambda is null ? QueryField.Of(name!) : QueryField.Of(lambda), "A field is expected.", "Name a field of the documents or of the index.")?.Operand;

    private void Facets(FacetStep step)
    {
        if (step.SetupId is { } id)
        {
            _query.Selected.Add(new RqlSelected(
                new CallOperand("facet", [new CallOperand("id", [new TextOperand(RqlNames.Quote(id))])]), null));
            return;
        }

        foreach (FacetClause facet in step.Facets)
        {
            List<RqlOperand> arguments = facet.Field is not null || facet.Name is not null ? [FieldText(facet.Field, facet.Name) ?? new TextOperand("?")] : [];
            arguments.AddRange(facet.Ranges.Select(range => new ConditionOperand(_conditions.Translate(Bind(range)))));
            foreach ((string function, LambdaExpression field, string? alias) in facet.Numbers)
            {
                arguments.Add(new CallOperand(function, [FieldText(field, null) ?? new TextOperand("?")], alias));
            }

            if (facet.Options is not null)
            {
                arguments.Add(new ValueOperand(facet.Options));
            }

            _query.Selected.Add(new RqlSelected(new CallOperand("facet", arguments), facet.Alias));
        }
    }

    private void Suggest(SuggestStep step)
    {
        foreach (SuggestClause part in step.Suggestions)
        {
            if (FieldText(part.Field, part.Name) is { } field)
            {
                List<RqlOperand> arguments = [field, new ValueOperand(part.Terms)];
                if (part.Options is not null)
                {
                    arguments.Add(new ValueOperand(part.Options));
                }

                _query.Selected.Add(new RqlSelected(new CallOperand("suggest", arguments), part.Alias));
            }
        }
    }

    private CallCondition Similar(SimilarStep step)
    {
        List<RqlOperand> arguments = step.Document is { } document
            ? [new ConditionOperand(_conditions.Translate(Bind(document)))]
            : [new ValueOperand(step.Json)];
        if (step.Options is not null)
        {
            arguments.Add(new ValueOperand(step.Options));
        }

        return RqlConditions.Call("moreLikeThis", arguments);
    }
}
