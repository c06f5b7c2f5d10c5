//! What a power cut leaves of the lines of an adoption.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fascicle::domain::event::{Adopted, Kind};
use fascicle::domain::kin::{Member, main_line};
use fascicle::domain::{Head, SessionId};
use fascicle::log::{Means, OnDamage, Store, Variant, Writer, Written};

use super::desk::*;
use super::sim::Sim;

const MAIN: &str = "essays/valley";
const OWN: &str = "essays/valley~first";

fn variant() -> SessionId {
    "0297c0de-7a10-7c3e-9b55-000000000001".parse().unwrap()
}

fn path_of(id: SessionId) -> std::path::PathBuf {
    format!("/w/.fascicle/sessions/essays/{id}.jsonl").into()
}

/// A store that makes nothing durable by itself while it is looked at.
fn store(sim: &Sim) -> Store {
    let means = Means {
        sync: Duration::from_secs(60 * 60),
        ..means(Arc::new(sim.clone()))
    };
    Store::with(Path::new("/w"), Path::new("/cache"), means).unwrap()
}

fn adopted() -> Kind {
    Kind::Adopted(Adopted {
        family: id(),
        main: variant(),
        was: id(),
        n: 1,
        folder: MAIN.into(),
        other: OWN.into(),
        undoes: None,
    })
}

fn moved(folder: &str) -> Kind {
    Kind::Moved {
        collection: essays(),
        folder: folder.into(),
        was: None,
        undoes: None,
    }
}

/// Appends, and waits until it is told that all of it is durable; false where the disk ends before.
fn log((sim, store): (&Sim, &Store), of: SessionId, kind: Kind) -> bool {
    let (sink, told) = listen();
    let Ok((writer, _)) = store.writer(of, OnDamage::Refuse, sink) else {
        return false;
    };
    writer.append(vec![kind]);
    writer.mark_durable(1);
    loop {
        match told.recv_timeout(PATIENCE).unwrap() {
            // Before the writer ends, which makes everything durable.
            Written::Reached(1) => {
                let cut = sim.lose_power(0, false).bytes(&path_of(of));
                break cut == sim.bytes(&path_of(of));
            }
            Written::Trouble(_) => break false,
            _ => {}
        }
    }
}

/// The lines of an adoption in their order; how many of them were told to be durable.
fn adopt(sim: &Sim, store: &Store) -> usize {
    let lines = [
        (variant(), adopted()),
        (id(), moved(OWN)),
        (variant(), moved(MAIN)),
    ];
    let told = lines.into_iter();
    let told = told.take_while(|(of, kind)| log((sim, store), *of, kind.clone()));
    told.count()
}

fn family() -> Sim {
    let sim = Sim::new();
    let store = store_on(sim.clone());
    let (writer, _) = begun(&store);
    assert!(writer.flush());
    let of: Writer = {
        let variant = Variant {
            id: variant(),
            title: Some("first".into()),
            collection: essays(),
            folder: OWN.into(),
        };
        store.fork(id(), None, variant, deaf()).unwrap().0
    };
    assert!(of.flush());
    drop((of, writer));
    sim
}

fn head(store: &Store, of: SessionId) -> Head {
    store.head(of).unwrap().head
}

/// How many lines of the adoption are there: each only with those before it.
fn lines(after: &Sim) -> usize {
    let store = store_on(after.clone());
    let (main, own) = (head(&store, id()), head(&store, variant()));
    let at = |head: &Head| head.place.as_ref().unwrap().folder.clone();
    let there = [
        own.kin.adopted == Some(1),
        at(&main) == OWN,
        own.kin.adopted == Some(1) && own.kin.exchange.is_none(),
    ];
    let count = there.iter().take_while(|there| **there).count();
    assert!(there.iter().skip(count).all(|there| !there), "{there:?}");
    let kins = [(id(), &main.kin), (variant(), &own.kin)];
    let members = kins.map(|(id, kin)| Member {
        id,
        kin,
        trashed: false,
    });
    let wanted = if count == 0 { id() } else { variant() };
    assert_eq!(main_line(members), Some(wanted));
    for of in [id(), variant()] {
        drop(store.writer(of, OnDamage::Refuse, deaf()).unwrap());
    }
    count
}

#[test]
fn a_power_cut_leaves_the_lines_of_an_adoption_up_to_what_was_told_and_none_without_those_before() {
    let begun = family();
    let dry = begun.fork();
    dry.state().ops = 0;
    dry.state().appends.clear();
    assert_eq!(adopt(&dry, &store(&dry)), 3);
    let (ops, longest) = {
        let state = dry.state();
        (state.ops, state.appends.iter().copied().max().unwrap())
    };
    for op in 0..=ops {
        for bytes in (0..=longest).step_by(40) {
            let sim = begun.fork();
            let store = store(&sim);
            sim.state().ops = 0;
            sim.state().crash = Some((op, bytes));
            let told = adopt(&sim, &store);
            drop(store);
            for after in [
                sim.fork(),
                sim.lose_power(0, false),
                sim.lose_power(7, true),
            ] {
                assert!(lines(&after) >= told, "{told} at {op}, {bytes}");
            }
        }
    }
}
