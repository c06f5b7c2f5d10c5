// A chat completions server over a small local model, on loopback only, for tests/real.rs.
// node serve.mjs FOLDER-OF-THE-LIBRARY WEIGHTS PORT [WINDOW]   prints "listening PORT" when it is ready
// A request that the window has no room for is refused in the words of llama.cpp's own server. With a window of one's own
// answers are shorter, and a conversation that goes on is not read anew: what is said then may differ by a rounding.
import http from "node:http";
import path from "node:path";
import {pathToFileURL} from "node:url";

const [, , library, modelPath, port, window] = process.argv;
const size = Number(window ?? 4096);
const {getLlama, LlamaChatSession} = await import(pathToFileURL(path.join(library, "dist/index.js")));

// One thread: with as many threads as cores, other work on the machine makes them wait for each other.
const llama = await getLlama({gpu: false, build: "never", maxThreads: 1});
const model = await llama.loadModel({modelPath});
const context = await model.createContext({contextSize: size, threads: 1, sequences: 2});

const name = "smollm2-135m";
const idle = [];
let made = 0;

function tooLong(session, turns, most) {
    const {contextText} = session.chatWrapper.generateContextState({chatHistory: turns});
    const tokens = contextText.tokenize(model.tokenizer).length;
    return tokens + most > size && {error: {
        code: 400, type: "exceed_context_size_error", n_prompt_tokens: tokens, n_ctx: size,
        message: "the request exceeds the available context size, try increasing it",
    }};
}

async function complete(body, response) {
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const messages = body.messages.filter((m) => typeof m.content === "string");
    const prompt = messages.pop().content;
    const turns = messages.map(({role, content}) => role === "assistant"
        ? {type: "model", response: [content]}
        : {type: role === "system" ? "system" : "user", text: content});
    const sequence = idle.pop() ?? context.getSequence();
    const session = new LlamaChatSession({contextSequence: sequence});
    session.setChatHistory(turns);
    const id = "chatcmpl-" + (++made);
    const send = (delta, reason = null) => response.write("data: " + JSON.stringify({
        id, object: "chat.completion.chunk", model: name, choices: [{index: 0, delta, finish_reason: reason}],
    }) + "\n\n");
    let tokens = 0;
    const most = body.max_tokens ?? (window ? 24 : 64);
    try {
        const refusal = tooLong(session, [...turns, {type: "user", text: prompt}], most);
        if (refusal) {
            response.writeHead(400, {"content-type": "application/json"});
            return response.end(JSON.stringify(refusal));
        }
        response.writeHead(200, {"content-type": "text/event-stream"});
        await session.prompt(prompt, {
            maxTokens: most, temperature: body.temperature ?? 0.3, seed: 1,
            signal: gone.signal, stopOnAbortSignal: true, repeatPenalty: {penalty: 1.15},
            onToken: (t) => { tokens += t.length; },
            onTextChunk: (content) => send({content}),
        });
        send({}, tokens >= most ? "length" : "stop");
        response.end("data: [DONE]\n\n");
    } finally {
        session.dispose();
        if (window) idle.push(sequence);
        else sequence.dispose();
    }
}

const server = http.createServer(async (request, response) => {
    try {
        if (request.url === "/v1/models") {
            response.setHeader("content-type", "application/json");
            return response.end(JSON.stringify({object: "list", data: [{id: name, object: "model"}]}));
        }
        if (request.url !== "/v1/chat/completions") {
            response.writeHead(404);
            return response.end();
        }
        let text = "";
        for await (const piece of request) text += piece;
        await complete(JSON.parse(text), response);
    } catch (error) {
        if (!response.headersSent) response.writeHead(500);
        response.end(String(error));
    }
});
server.listen(Number(port), "127.0.0.1", () => console.log("listening", server.address().port));
