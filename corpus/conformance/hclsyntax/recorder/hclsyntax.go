// Answers about inputs of the tests of hclsyntax; see ../make.go.
package hclsyntax

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

type recordedCase struct {
	Test      string            `json:"test"`
	As        string            `json:"as"`
	Input     string            `json:"input"`
	Scope     map[string]string `json:"scope"`
	Functions []string          `json:"functions"`
	Errors    []string          `json:"errors,omitempty"`
	Value     string            `json:"value,omitempty"`
	Variables []string          `json:"variables,omitempty"`
	Items     []string          `json:"items,omitempty"`
}

// What the inputs of a test are read as. Inputs of scanners are fragments, of which every reading is of interest.
var recordedAs = map[string][]string{
	"TestBlocksAtPos":               {"file"},
	"TestAttributeAtPos":            {"file"},
	"TestOutermostExprAtPos":        {"file"},
	"TestParseConfig":               {"file"},
	"TestParseConfigDiagnostics":    {"file"},
	"TestCheckInvalidTokensTest":    {"file"},
	"TestScanTokens_normal":         {"file", "expression"},
	"TestScanTokens_template":       {"template"},
	"TestScanStringLit":             {"template", "quoted"},
	"TestExpressionParseAndValue":   {"expression"},
	"TestExpressionErrorMessages":   {"expression"},
	"TestExpressionDiagnosticExtra": {"expression"},
	"TestTemplateExprParseAndValue": {"template"},
	"TestParseTraversalAbs":         {"expression"},
	"TestWalk":                      {"expression"},
	"TestPeeker":                    {"expression"},
	"TestValidIdentifier":           {"named"},
}

func record(test string, row any) {
	value := reflect.ValueOf(row)
	if value.Kind() == reflect.Ptr {
		value = value.Elem()
	}
	if value.Kind() != reflect.Struct {
		return
	}
	var input string
	var ctx *hcl.EvalContext
	has := false
	for at := 0; at < value.NumField(); at++ {
		switch strings.ToLower(value.Type().Field(at).Name) {
		case "input", "src":
			if value.Field(at).Kind() == reflect.String {
				input, has = value.Field(at).String(), true
			}
		case "ctx":
			ctx = (*hcl.EvalContext)(value.Field(at).UnsafePointer())
		}
	}
	if !has {
		return
	}
	for _, as := range recordedAs[test] {
		input := input
		switch as {
		case "quoted":
			as, input = "expression", `"`+input+`"`
		case "named":
			as, input = "file", input+" = 1\n"
		}
		if !utf8.ValidString(input) {
			fmt.Fprintf(os.Stderr, "not UTF-8: %q\n", input)
			continue
		}
		out := recordedCase{Test: test, As: as, Input: input}
		if scope(ctx, &out) {
			answer(&out, ctx)
			file, err := os.OpenFile(os.Getenv("RECORDED"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err != nil {
				panic(err)
			}
			encoder := json.NewEncoder(file)
			encoder.SetEscapeHTML(false)
			encoder.Encode(out)
			file.Close()
		}
	}
}

// Writes the variables and the names of functions of a context, null without any. Returns false if these cannot be written.
func scope(ctx *hcl.EvalContext, out *recordedCase) (fine bool) {
	defer func() {
		if message := recover(); message != nil {
			fmt.Fprintf(os.Stderr, "skipped: %q: %v\n", out.Input, message)
			fine = false
		}
	}()
	for ; ctx != nil; ctx = ctx.Parent() {
		if ctx.Variables != nil && out.Scope == nil {
			out.Scope = map[string]string{}
		}
		for name, value := range ctx.Variables {
			if _, inner := out.Scope[name]; !inner {
				out.Scope[name] = write(value, true)
			}
		}
		for name, function := range ctx.Functions {
			if function.VarParam() != nil {
				name += "..."
			}
			out.Functions = append(out.Functions, name)
		}
	}
	sort.Strings(out.Functions)
	return true
}

func answer(out *recordedCase, ctx *hcl.EvalContext) {
	var expression Expression
	var found hcl.Diagnostics
	switch out.As {
	case "file":
		file, found := ParseConfig([]byte(out.Input), "", hcl.InitialPos)
		out.Errors = errors(found)
		if !found.HasErrors() {
			items(file.Body.(*Body), &out.Items)
		}
		return
	case "expression":
		expression, found = ParseExpression([]byte(out.Input), "", hcl.InitialPos)
	case "template":
		expression, found = ParseTemplate([]byte(out.Input), "", hcl.InitialPos)
	}
	if found.HasErrors() {
		out.Errors = errors(found)
		return
	}
	for _, each := range Variables(expression) {
		out.Variables = append(out.Variables, traversal(each))
	}
	sort.Strings(out.Variables)
	value, found := expression.Value(ctx)
	out.Errors, out.Value = errors(found), show(value)
}

func traversal(steps hcl.Traversal) string {
	text := ""
	for _, step := range steps {
		switch step := step.(type) {
		case hcl.TraverseRoot:
			text += step.Name
		case hcl.TraverseAttr:
			text += "." + step.Name
		case hcl.TraverseIndex:
			text += "[" + show(step.Key) + "]"
		default:
			panic(fmt.Sprintf("%T", step))
		}
	}
	place := steps.SourceRange()
	return fmt.Sprintf("%s %d-%d", text, place.Start.Byte, place.End.Byte)
}

func errors(found hcl.Diagnostics) []string {
	out := []string{}
	for _, each := range found {
		if each.Severity == hcl.DiagError {
			out = append(out, fmt.Sprintf("%s %d-%d", each.Summary, each.Subject.Start.Byte, each.Subject.End.Byte))
		}
	}
	return out
}

// All attributes and blocks of a body, in the order of the file.
func items(body *Body, out *[]string) {
	type item struct {
		start int
		write func()
	}
	all := []item{}
	for _, each := range body.Attributes {
		attribute := each
		all = append(all, item{attribute.SrcRange.Start.Byte, func() {
			line := fmt.Sprintf("%s %d-%d", attribute.Name, attribute.SrcRange.Start.Byte, attribute.SrcRange.End.Byte)
			value, found := attribute.Expr.Value(nil)
			if line += " = " + show(value); found.HasErrors() {
				line += " " + errors(found)[0]
			}
			*out = append(*out, line)
			names := []string{}
			for _, each := range Variables(attribute.Expr) {
				names = append(names, "  "+traversal(each))
			}
			sort.Strings(names)
			*out = append(*out, names...)
		}})
	}
	for _, each := range body.Blocks {
		block := each
		all = append(all, item{block.TypeRange.Start.Byte, func() {
			line := fmt.Sprintf("%s %d", block.Type, block.TypeRange.Start.Byte)
			for at, label := range block.Labels {
				place := block.LabelRanges[at]
				line += fmt.Sprintf(" %s %d-%d", quoted(label), place.Start.Byte, place.End.Byte)
			}
			*out = append(*out, fmt.Sprintf("%s { %d-%d", line, block.OpenBraceRange.Start.Byte, block.CloseBraceRange.End.Byte))
			items(block.Body, out)
			*out = append(*out, "}")
		}})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].start < all[j].start })
	for _, each := range all {
		each.write()
	}
}

// A string as Rust writes it.
func quoted(text string) string {
	out := `"`
	for _, character := range text {
		switch {
		case character == '"' || character == '\\':
			out += `\` + string(character)
		case character == '\n':
			out += `\n`
		case character == '\r':
			out += `\r`
		case character == '\t':
			out += `\t`
		case character == 0:
			out += `\0`
		case !unicode.IsPrint(character) || unicode.Is(unicode.Mn, character):
			out += fmt.Sprintf(`\u{%x}`, character)
		default:
			out += string(character)
		}
	}
	return out + `"`
}

func show(value cty.Value) string { return write(value, false) }

// A value as the notation shows it, or as it is read, where collections have the type of their elements.
func write(value cty.Value, typed bool) string {
	mark := ""
	if value.IsMarked() {
		value, _ = value.Unmark()
		mark = "#"
	}
	kind := value.Type()
	list := func(open, close string) string {
		parts := []string{}
		for it := value.ElementIterator(); it.Next(); {
			_, element := it.Element()
			parts = append(parts, write(element, typed))
		}
		return open + strings.Join(parts, ", ") + close
	}
	pairs := func(open string) string {
		parts := []string{}
		for it := value.ElementIterator(); it.Next(); {
			name, element := it.Element()
			parts = append(parts, name.AsString()+" = "+write(element, typed))
		}
		return open + strings.Join(parts, ", ") + "}"
	}
	text := ""
	switch {
	case !value.IsKnown() && kind == cty.DynamicPseudoType:
		text = "?"
	case !value.IsKnown():
		text = "?" + showType(kind)
	case value.IsNull():
		text = "null(" + showType(kind) + ")"
	case kind == cty.Bool:
		text = fmt.Sprint(value.True())
	case kind == cty.Number:
		text = value.AsBigFloat().Text('f', -1)
	case kind == cty.String:
		text = quoted(value.AsString())
	case kind.IsListType() && (typed || value.LengthInt() == 0), kind.IsSetType() && typed:
		text = list(showType(kind)+"[", "]")
	case kind.IsMapType() && typed:
		text = pairs(showType(kind) + "{")
	case kind.IsListType():
		text = list("list[", "]")
	case kind.IsSetType():
		text = list("set[", "]")
	case kind.IsTupleType():
		text = list("[", "]")
	case kind.IsMapType():
		text = pairs("map{")
	case kind.IsObjectType():
		text = pairs("{")
	default:
		panic(kind.FriendlyName())
	}
	return text + mark
}

func showType(kind cty.Type) string {
	switch {
	case kind == cty.DynamicPseudoType:
		return "dynamic"
	case kind.IsPrimitiveType():
		return kind.FriendlyName()
	case kind.IsListType():
		return "list(" + showType(kind.ElementType()) + ")"
	case kind.IsSetType():
		return "set(" + showType(kind.ElementType()) + ")"
	case kind.IsMapType():
		return "map(" + showType(kind.ElementType()) + ")"
	case kind.IsObjectType():
		parts := []string{}
		for name, each := range kind.AttributeTypes() {
			parts = append(parts, name+"="+showType(each))
		}
		sort.Strings(parts)
		return "object(" + strings.Join(parts, ",") + ")"
	case kind.IsTupleType():
		parts := []string{}
		for _, each := range kind.TupleElementTypes() {
			parts = append(parts, showType(each))
		}
		return "tuple(" + strings.Join(parts, ",") + ")"
	}
	panic(kind.FriendlyName())
}
