//! Our tools, served over the program's own pipe as a tool server of kind `sdk` (JSON-RPC, Model Context Protocol).

use serde_json::{Value, json};

use crate::domain::tool::{ToolResult, ToolSpec};

/// Name of the server.
pub(super) const SERVER: &str = "fascicle";
/// What the program puts before the name of each of our tools.
const PREFIX: &str = "mcp__fascicle__";

/// The server as the command line names it.
pub(super) fn config() -> String {
    json!({"mcpServers": {SERVER: {"type": "sdk", "name": SERVER}}}).to_string()
}

/// Our tools as the program names them, joined by commas.
pub(super) fn names(tools: &[ToolSpec]) -> String {
    let names: Vec<String> = tools.iter().map(|t| vendor_name(t.name)).collect();
    names.join(",")
}

/// A tool of ours as the program names it.
pub(super) fn vendor_name(name: &str) -> String {
    format!("{PREFIX}{name}")
}

/// The name of a tool of ours; none for another's.
pub(super) fn ours(vendor: &str) -> Option<&str> {
    vendor.strip_prefix(PREFIX)
}

/// What a message of the program asks of us.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Asked {
    /// Answered at once.
    Answer(Value),
    /// A call: answered when the result is there.
    Call {
        /// Id of the JSON-RPC request.
        id: Value,
        /// The tool use it belongs to, when the program says.
        tool_use: Option<String>,
        /// Name of the tool.
        name: String,
        /// Argument as JSON.
        input: String,
    },
}

/// Reads a JSON-RPC message.
pub(super) fn asked(message: &Value, tools: &[ToolSpec]) -> Asked {
    let id = message.get("id").cloned();
    let params = &message["params"];
    let result = match (message["method"].as_str().unwrap_or_default(), &id) {
        // A notification; the program's pipe wants an answer all the same.
        (_, None) => return Asked::Answer(json!({"jsonrpc": "2.0", "result": {}})),
        ("tools/call", Some(id)) => return call(id, params),
        ("initialize", _) => json!({
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": SERVER, "version": env!("CARGO_PKG_VERSION")},
        }),
        ("tools/list", _) => json!({"tools": tools.iter().map(listed).collect::<Vec<_>>()}),
        ("ping", _) => json!({}),
        (method, _) => {
            let error = json!({"code": -32601, "message": format!("no method {method}")});
            return Asked::Answer(json!({"jsonrpc": "2.0", "id": id, "error": error}));
        }
    };
    Asked::Answer(json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

/// The JSON-RPC answer to a call.
pub(super) fn called(id: &Value, result: &ToolResult) -> Value {
    let content = json!([{"type": "text", "text": result.output}]);
    let result = json!({"content": content, "isError": !result.ok});
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn call(id: &Value, params: &Value) -> Asked {
    let tool_use = params["_meta"]["claudecode/toolUseId"].as_str();
    let input = match &params["arguments"] {
        Value::Null => "{}".to_owned(),
        given => given.to_string(),
    };
    Asked::Call {
        id: id.clone(),
        tool_use: tool_use.map(str::to_owned),
        name: params["name"].as_str().unwrap_or_default().to_owned(),
        input,
    }
}

fn listed(tool: &ToolSpec) -> Value {
    let schema: Value =
        serde_json::from_str(tool.schema).unwrap_or_else(|_| json!({"type": "object"}));
    json!({"name": tool.name, "description": tool.about, "inputSchema": schema})
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOLS: [ToolSpec; 1] = [ToolSpec {
        name: "read_draft",
        about: "Reads.",
        schema: r#"{"type":"object"}"#,
    }];

    #[test]
    fn the_tools_are_listed_with_their_schemas() {
        let got = asked(&json!({"method": "tools/list", "id": 1}), &TOOLS);
        let want = json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": [
            {"name": "read_draft", "description": "Reads.", "inputSchema": {"type": "object"}}]}});
        assert_eq!(got, Asked::Answer(want));
    }

    #[test]
    fn a_notification_is_answered_with_an_empty_result() {
        let got = asked(&json!({"method": "notifications/initialized"}), &TOOLS);
        assert_eq!(got, Asked::Answer(json!({"jsonrpc": "2.0", "result": {}})));
    }

    #[test]
    fn an_unknown_method_is_an_error_of_the_protocol() {
        let Asked::Answer(got) = asked(&json!({"method": "x", "id": 3}), &TOOLS) else {
            panic!("a call");
        };
        assert_eq!(got["error"]["code"], -32601);
        assert_eq!(got["id"], 3);
    }

    #[test]
    fn a_call_names_the_tool_use_it_belongs_to() {
        let message = json!({"method": "tools/call", "id": 2, "params":
            {"name": "read_draft", "_meta": {"claudecode/toolUseId": "toolu_1"}}});
        let want = Asked::Call {
            id: json!(2),
            tool_use: Some("toolu_1".into()),
            name: "read_draft".into(),
            input: "{}".into(),
        };
        assert_eq!(asked(&message, &TOOLS), want);
    }
}
