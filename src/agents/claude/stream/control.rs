//! Requests and answers beside the stream: readiness, questions, calls of our tools.

use serde_json::Value;

use super::super::ask::{Question, deny};
use super::super::{input, mcp};
use super::{Step, Stream, Waiting, Wanted, refusal};
use crate::agents::backend::AgentEvent;
use crate::domain::event::Answer;
use crate::domain::tool::ToolResult;

/// Said to the model when it wants a dialog.
const NO_DIALOG: &str =
    "There is no dialog here. Ask in the text of your answer; the writer reads it and replies.";

impl Stream {
    /// The writer answered.
    pub(in super::super) fn answer(&mut self, call: &str, answer: Answer) -> Option<String> {
        let question = self.turn.asked.remove(call)?;
        Some(input::response(
            &question.request,
            &question.answered(answer),
        ))
    }

    /// The host ran a tool.
    pub(in super::super) fn tool_result(
        &mut self,
        call: &str,
        result: &ToolResult,
    ) -> Option<String> {
        let waiting = self.turn.waiting.remove(call)?;
        let answer = mcp::called(&waiting.id, result);
        Some(relayed(&waiting.request, &answer))
    }

    pub(super) fn requested(&mut self, line: &Value, out: &mut Vec<Step>) {
        let id = line["request_id"].as_str().unwrap_or_default();
        let request = &line["request"];
        match request["subtype"].as_str().unwrap_or_default() {
            "mcp_message" if request["server_name"] == mcp::SERVER => {
                self.tool_message(id, &request["message"], out);
            }
            "can_use_tool" => self.question(id, request, out),
            other => {
                let why = format!("{other} is not served here");
                out.push(Step::Write(input::refusal(id, &why)));
            }
        }
    }

    pub(super) fn responded(&mut self, response: &Value, out: &mut Vec<Step>) {
        let id = response["request_id"].as_str().unwrap_or_default();
        // The program echoes our own answers too: their ids are not in the list.
        let Some(wanted) = self.wanted.remove(id) else {
            return;
        };
        let refused = response["subtype"] == "error";
        match wanted {
            Wanted::Initialize if refused => {
                out.push(refusal(
                    response["error"].as_str().unwrap_or("it gave no reason"),
                ));
            }
            Wanted::Initialize => {
                self.ready = true;
                let model = self.named_model(&response["response"]["models"]);
                out.push(Step::Ready { model });
            }
            Wanted::Sign => out.push(Step::Alive),
            Wanted::Interrupt => {}
        }
    }

    pub(super) fn cancelled(&mut self, line: &Value, out: &mut Vec<Step>) {
        let id = line["request_id"].as_str().unwrap_or_default();
        let call = self.turn.asked.iter().find(|(_, q)| q.request == id);
        if let Some(call) = call.map(|(call, _)| call.clone()) {
            self.turn.asked.remove(&call);
            out.push(Step::Tell(AgentEvent::AskGone { call }));
        }
        self.turn.waiting.retain(|_, w| w.request != id);
    }

    /// The model behind the name asked for, as the program lists it.
    fn named_model(&self, models: &Value) -> Option<String> {
        let name = self.model.as_deref().unwrap_or("default");
        let listed = models.as_array().into_iter().flatten();
        let mut listed = listed.filter(|m| m["value"] == name);
        let model = listed.find_map(|m| m["resolvedModel"].as_str());
        model.map(str::to_owned).or_else(|| self.model.clone())
    }

    fn tool_message(&mut self, request: &str, message: &Value, out: &mut Vec<Step>) {
        match mcp::asked(message, self.tools) {
            mcp::Asked::Answer(answer) => out.push(Step::Write(relayed(request, &answer))),
            mcp::Asked::Call {
                id,
                tool_use,
                name,
                input,
            } => {
                let call = self.call_of(tool_use, &name, request);
                let waiting = Waiting {
                    request: request.to_owned(),
                    id,
                };
                self.turn.waiting.insert(call.clone(), waiting);
                out.push(Step::Tell(AgentEvent::ToolCall { call, name, input }));
            }
        }
    }

    /// The call a message belongs to: as it says, else the oldest one announced under that name.
    fn call_of(&mut self, tool_use: Option<String>, name: &str, request: &str) -> String {
        let at = self
            .turn
            .announced
            .iter()
            .position(|(call, n)| tool_use.as_ref().map_or(n == name, |t| t == call));
        let announced = at.map(|at| self.turn.announced.remove(at).0);
        tool_use.or(announced).unwrap_or_else(|| request.to_owned())
    }

    fn question(&mut self, id: &str, request: &Value, out: &mut Vec<Step>) {
        let question = Question::of(id, request);
        if Question::is_dialog(request) {
            return out.push(Step::Write(input::response(id, &deny(NO_DIALOG))));
        }
        let tool = request["tool_name"].as_str().unwrap_or_default();
        if mcp::ours(tool).is_some() {
            // Our tools touch nothing but the draft, which keeps every version.
            let yes = question.answered(Answer::Once);
            return out.push(Step::Write(input::response(id, &yes)));
        }
        if !self.turn.running {
            return out.push(Step::Write(input::response(id, &deny("No turn runs."))));
        }
        let call = request["tool_use_id"].as_str().unwrap_or(id).to_owned();
        let what = question.what(request);
        self.turn.asked.insert(call.clone(), question);
        out.push(Step::Tell(AgentEvent::Asked {
            call,
            what,
            input: request.to_string(),
        }));
    }
}

fn relayed(request: &str, answer: &Value) -> String {
    input::response(request, &serde_json::json!({"mcp_response": answer}))
}
