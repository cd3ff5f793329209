//! A parsed JavaScript, with its names and the scopes that declare them.

use std::collections::{BTreeSet, HashMap, HashSet};

use tree_sitter::{Node, Parser, Tree};

/// A script without syntax errors.
pub(crate) struct Script<'a> {
    text: &'a str,
    tree: Tree,
}

/// The names of a script: those that it uses but does not declare, and those that it declares but does not use.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Names<'a> {
    pub(crate) undeclared: BTreeSet<&'a str>,
    pub(crate) unused: BTreeSet<&'a str>,
}

impl<'a> Script<'a> {
    /// Parses a script; an error is the first line that is none.
    pub(crate) fn parse(text: &'a str) -> Result<Self, String> {
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_javascript::LANGUAGE.into()).unwrap();
        let tree = parser.parse(text, None).unwrap();
        let script = Script { text, tree };
        match script.nodes().into_iter().find(|node| node.is_error() || node.is_missing()) {
            Some(node) => Err(format!("line {}: syntax error", node.start_position().row + 1)),
            None => Ok(script),
        }
    }

    /// All nodes, parents before children.
    pub(crate) fn nodes(&self) -> Vec<Node<'_>> {
        let mut nodes = vec![self.tree.root_node()];
        let mut next = 0;
        while let Some(&node) = nodes.get(next) {
            nodes.extend(children(node));
            next += 1;
        }
        nodes
    }

    /// The text of a node.
    pub(crate) fn text(&self, node: Node<'_>) -> &'a str {
        &self.text[node.byte_range()]
    }

    /// The names that lack a declaration or a use.
    pub(crate) fn names(&self) -> Names<'a> {
        let nodes = self.nodes();
        // By scope and name: whether the name is used.
        let mut declared: HashMap<(usize, &str), bool> = HashMap::new();
        let mut declarations: HashSet<usize> = HashSet::new();
        for (scope, pattern) in nodes.iter().copied().filter_map(declaration) {
            let mut bound = Vec::new();
            bind(pattern, &mut bound);
            for node in bound {
                declared.insert((scope.id(), self.text(node)), false);
                declarations.insert(node.id());
            }
        }
        let mut names = Names::default();
        for &node in nodes.iter().filter(|node| is_name(**node) && !declarations.contains(&node.id())) {
            let name = self.text(node);
            let mut scopes = std::iter::successors(Some(node), Node::parent).map(|scope| (scope.id(), name));
            match scopes.find(|scope| declared.contains_key(scope)) {
                Some(scope) => _ = declared.insert(scope, true),
                None => _ = names.undeclared.insert(name),
            }
        }
        let unused = declared.into_iter().filter(|(_, is_used)| !is_used).map(|((_, name), _)| name);
        names.unused = unused.filter(|name| *name != "_").collect();
        names
    }

    /// The names of the fields that objects of the script have.
    pub(crate) fn defined_fields(&self) -> BTreeSet<&'a str> {
        let nodes = self.nodes().into_iter();
        let names = nodes.filter_map(|node| match node.kind() {
            "pair" => node.child_by_field_name("key"),
            "shorthand_property_identifier" => Some(node),
            _ => None,
        });
        names.map(|name| self.text(name)).collect()
    }

    /// The names of the fields that the script reads, except of methods and of `dataset`.
    pub(crate) fn read_fields(&self) -> BTreeSet<&'a str> {
        let nodes = self.nodes().into_iter();
        let names = nodes.filter_map(|node| match node.kind() {
            "member_expression" if is_read(node) && !self.is_of_dataset(node) => {
                node.child_by_field_name("property")
            }
            "pair_pattern" => node.child_by_field_name("key"),
            "shorthand_property_identifier_pattern" => Some(node),
            _ => None,
        });
        names.map(|name| self.text(name)).collect()
    }

    fn is_of_dataset(&self, node: Node<'_>) -> bool {
        self.path(node).iter().rev().nth(1) == Some(&Step::Field("dataset"))
    }

    /// The fields that are read of named objects: the name, and the steps that lead to the field.
    pub(crate) fn paths(&self) -> Vec<Vec<Step<'a>>> {
        let nodes = self.nodes().into_iter();
        let read = nodes.filter(|node| node.kind() == "member_expression" && is_read(*node));
        read.map(|node| self.path(node)).collect()
    }

    /// The steps from a name to the value of an expression; another expression is one step.
    fn path(&self, node: Node<'_>) -> Vec<Step<'a>> {
        let object = node.child_by_field_name("object");
        let (mut path, step) = match (node.kind(), object, node.child_by_field_name("property")) {
            ("identifier", ..) => (Vec::new(), Step::Field(self.text(node))),
            ("member_expression", Some(object), Some(name)) => {
                (self.path(object), Step::Field(self.text(name)))
            }
            ("subscript_expression", Some(object), _) => (self.path(object), Step::Entry),
            _ => (Vec::new(), Step::Entry),
        };
        path.push(step);
        path
    }
}

/// A step to a part of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    /// The field of this name; as the first step, the variable.
    Field(&'a str),
    /// An entry, by its number or by a name that is computed.
    Entry,
}

/// Whether a member is neither called nor assigned.
fn is_read(member: Node<'_>) -> bool {
    let is = |parent: Node<'_>, field: &str| parent.child_by_field_name(field) == Some(member);
    member.parent().is_none_or(|parent| match parent.kind() {
        "call_expression" => !is(parent, "function"),
        "assignment_expression" => !is(parent, "left"),
        _ => true,
    })
}

fn children(node: Node<'_>) -> Vec<Node<'_>> {
    node.children(&mut node.walk()).collect()
}

/// Whether a node is a variable.
fn is_name(node: Node<'_>) -> bool {
    let names = ["identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"];
    names.contains(&node.kind())
}

/// The pattern that a node declares, and the scope of its names.
fn declaration(node: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    match node.kind() {
        "variable_declarator" => {
            let is_scope =
                |node: &Node<'_>| ["program", "statement_block", "for_statement"].contains(&node.kind());
            let scope = std::iter::successors(node.parent(), Node::parent).find(is_scope)?;
            Some((scope, node.child_by_field_name("name")?))
        }
        "for_in_statement" => Some((node, node.child_by_field_name("left")?)),
        "catch_clause" => Some((node, node.child_by_field_name("parameter")?)),
        "arrow_function" => {
            let parameters = node.child_by_field_name("parameter");
            Some((node, parameters.or_else(|| node.child_by_field_name("parameters"))?))
        }
        _ => None,
    }
}

/// The names that a pattern binds.
fn bind<'a>(pattern: Node<'a>, names: &mut Vec<Node<'a>>) {
    match pattern.kind() {
        _ if is_name(pattern) => names.push(pattern),
        "pair_pattern" => {
            pattern.child_by_field_name("value").into_iter().for_each(|value| bind(value, names))
        }
        "assignment_pattern" | "object_assignment_pattern" => {
            pattern.child_by_field_name("left").into_iter().for_each(|left| bind(left, names));
        }
        _ => children(pattern).into_iter().for_each(|child| bind(child, names)),
    }
}

#[test]
fn names_are_those_of_their_scope() {
    let script = "const a = ({ b, c: [d = e] }, ...f) => { for (const g of b) { d(g, h); } }; a({ i });";
    let names = Script::parse(script).unwrap().names();
    let undeclared = BTreeSet::from(["e", "h", "i"]);
    assert_eq!(names, Names { undeclared, unused: BTreeSet::from(["f"]) });
    assert_eq!(Script::parse("const a = 1;\nconst b = (;").err(), Some("line 2: syntax error".to_owned()));
}

#[test]
fn fields_are_read_or_defined() {
    let script =
        "let { a, b: c } = d.e[0]?.f.g(); d.h = { i: 1, c }; d.j.k += f(d).l; m.dataset.n = m.dataset.o;";
    let script = Script::parse(script).unwrap();
    assert_eq!(script.defined_fields(), BTreeSet::from(["c", "i"]));
    assert_eq!(script.read_fields(), BTreeSet::from(["a", "b", "dataset", "e", "f", "j", "k", "l"]));
    let longest = script.paths().into_iter().max_by_key(Vec::len).unwrap();
    assert_eq!(longest, [Step::Field("d"), Step::Field("e"), Step::Entry, Step::Field("f")]);
}
