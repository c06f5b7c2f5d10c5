//! The program: hands its words to the command line and ends with its exit code.

fn main() -> std::process::ExitCode {
    fascicle::cli::run(std::env::args_os())
}
